/** axe finds nothing on any page, with a little in it, in the light and in the dark. */
import { type Browser, expect, type Page, test } from '@playwright/test'
import axe from 'axe-core'
import { aProduct, type Product } from '#test-world/product.ts'
import { aReader, type Reader } from '#test-world/reader.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'

declare const window: { axe: typeof axe }

const visitorPages = {
  '/login': 'Welcome Back',
  '/sign-up': 'Create an account',
  '/forgot-password': 'Forgot Password?',
  '/email-verification?email=ada@example.com': 'ada@example.com',
  '/create-new-password?token=x': 'Save New Password',
  '/terms': 'Your account',
  '/nowhere': 'We can',
}
const memberPages = {
  '/dashboard': 'Messages today',
  '/dashboard/domains': 'Total Domains: 1',
  '/dashboard/add-domain': 'Enter domain',
  '/dashboard/mailboxes': 'Create mailboxes',
  '/dashboard/new-mail-box': 'Create mailbox',
  '/dashboard/view-mail': 'A letter',
  '/dashboard/mail-box-settings': 'Signature',
  '/dashboard/settings': 'Account',
  '/dashboard/profile': 'Details',
}

let product: Product
let reader: Reader
test.beforeAll(async () => {
  product = await aProduct()
  reader = await aReader(product.dataDir)
  const raw =
    'From: Grace <grace@elsewhere.example>\r\nSubject: A letter\r\nMIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n<h1>Hello</h1>\r\n'
  await sendMail(product.smtpPort, { from: 'grace@elsewhere.example', to: reader.address, raw })
})
test.afterAll(() => product.close())

for (const colorScheme of ['light', 'dark'] as const) {
  test(`pages of visitors, ${colorScheme}`, async ({ browser }) => {
    const page = await open(browser, colorScheme)
    await lookAt(page, visitorPages)
  })

  test(`pages of members, ${colorScheme}`, async ({ browser }) => {
    const page = await open(browser, colorScheme)
    await page.goto(`${product.url}/login`)
    await page.getByLabel('Email').fill(reader.email)
    await page.getByLabel('Password', { exact: true }).fill(reader.password)
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await page.waitForURL('**/dashboard')
    await lookAt(page, memberPages)
  })
}

const open = async (browser: Browser, colorScheme: 'light' | 'dark'): Promise<Page> => {
  const context = await browser.newContext({
    colorScheme,
    bypassCSP: true,
    reducedMotion: 'reduce',
  })
  return context.newPage()
}

const lookAt = async (page: Page, pages: Record<string, string>): Promise<void> => {
  for (const [path, text] of Object.entries(pages)) {
    await page.goto(product.url + path)
    await expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible()
    await page.addScriptTag({ content: axe.source })
    const found = await page.evaluate(async () => (await window.axe.run()).violations)
    const faults = found.map(({ id, help, nodes }) => ({ id, help, where: nodes[0]?.html }))
    expect(faults, path).toEqual([])
  }
}
