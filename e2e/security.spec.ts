/** I see where I am signed in, and end it; the link of a mail throws a stranger out; the last Admin hands over and leaves. */
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import type { Product } from '#test-world/product.ts'
import { mailedLink, PASSWORD } from '#test-world/trials/account.ts'
import { logIn } from './browsers.ts'
import { aPerson, expect, expectToast, failing, opened, test } from './specification/setting.ts'

const sessions = (page: Page) => page.getByRole('region', { name: 'Sessions' })

test('I see my other browser and end it: it is out at once', async ({
  setting,
  person,
  browser,
}) => {
  const { page, email } = person
  const other = await browser.newContext({ baseURL: setting.product.url })
  const login = { data: { email, password: PASSWORD } }
  await other.request.post(`${setting.product.url}/api/v1/auth/login`, login)
  const there = await other.newPage()
  await opened(there, '/dashboard/security')
  await opened(page, '/dashboard/profile')
  await page.getByRole('link', { name: 'Security' }).click()
  await expect(sessions(page).getByRole('listitem')).toHaveCount(2)
  await expect(sessions(page)).toContainText('This browser')
  await sessions(page)
    .getByRole('button', { name: /^End the session of/ })
    .click()
  await expectToast(page, 'Session ended')
  await expect(sessions(page).getByRole('listitem')).toHaveCount(1)
  await expect(there).toHaveURL(/\/login/)
  await other.close()
})

/** The link of the first mail to this address that tells of a new sign-in, or of what `subject` names. */
const linkIn = async (product: Product, address: string, subject: RegExp): Promise<string> => {
  for (let count = 1; ; count++) {
    const { email } = await product.mailTo(address, count)
    if (!subject.test(email.subject ?? '')) continue
    const link = /https?:\S+\/end-session\?token=\S+/.exec(email.text ?? '')?.[0]
    if (link === undefined) throw new Error(`no link in ${email.text}`)
    return link
  }
}

test('a mail tells me of a browser that I do not know; its link signs that one out, and me not', async ({
  setting,
  person,
  browser,
}) => {
  const { page, email } = person
  const stranger = await browser.newContext({ baseURL: setting.product.url })
  const there = await stranger.newPage()
  await there.goto('/login')
  await logIn(there, email)
  await expect(there).toHaveURL(/\/dashboard$/)
  await opened(page, '/dashboard')

  const link = await linkIn(setting.product, email, /New sign-in/)
  // As it is opened on a telephone, where nobody is signed in.
  const telephone = await browser.newContext()
  const visitor = await telephone.newPage()
  await visitor.goto(link)
  await expect(visitor).toHaveURL(/\/end-session$/)
  await expect(visitor.getByText(email)).toBeVisible()
  await expect(there.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
  await visitor.keyboard.press('Tab')
  await visitor.getByRole('button', { name: 'End this session' }).press('Enter')
  await expect(visitor.getByRole('heading', { name: 'The session has ended' })).toBeFocused()
  await expect(there).toHaveURL(/\/login/)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()

  await visitor.goto(link)
  await expect(visitor.getByRole('heading', { name: 'This session has ended' })).toBeVisible()
  await visitor.getByRole('link', { name: 'Set a new password' }).click()
  await expect(visitor).toHaveURL(/\/forgot-password/)
  await Promise.all([stranger.close(), telephone.close()])
})

test('somebody changes the address of my account: the mail to my old one signs them out', async ({
  setting,
  person,
  browser,
}) => {
  const { page, email, call } = person
  await opened(page, '/dashboard')
  const taken = `taken-${email}`
  expect((await call('PATCH', '/profile', { email: taken, password: PASSWORD })).status).toBe(200)
  await page.goto((await mailedLink(setting.product, taken)).href)
  await expect(page).toHaveURL(/\/dashboard\/profile/)
  const context = await browser.newContext()
  const owner = await context.newPage()
  await owner.goto(await linkIn(setting.product, email, /was changed$/))
  await expect(owner.getByText(taken)).toBeVisible()
  await owner.getByRole('button', { name: 'End this session' }).click()
  await expect(owner.getByRole('heading', { name: 'The session has ended' })).toBeVisible()
  await expect(page).toHaveURL(/\/login/)
  await context.close()
})

test('I narrow the audit log, and save what is left as a table; while it fails I am told', async ({
  person: { page, call, email },
}) => {
  const name = `logged-${crypto.randomUUID().slice(0, 8)}.example`
  await call('POST', '/domains', { name })
  await call('POST', '/invitations', { email: 'grace@elsewhere.example', role: 'Editor' })
  await opened(page, '/dashboard/audit-log')
  await expect(page.getByText('Changes: 2')).toBeVisible()
  await page.getByRole('combobox', { name: 'Who' }).click()
  await page.getByRole('option', { name: 'Ada Lovelace' }).click()
  await page.getByLabel('From', { exact: true }).fill('2020-01-01')
  await page.getByLabel('Search audit log').fill(name)
  await expect(page.getByText('Changes: 1')).toBeVisible()
  const mend = await failing(page, 'GET', '/audit-log*', { statusCode: 500, message: 'It broke' })
  await page.getByRole('button', { name: 'Export' }).click()
  await expectToast(page, 'Error', 'It broke')
  await mend()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  const table = readFileSync(await (await saved).path(), 'utf8')
    .trim()
    .split('\n')
  expect(table).toHaveLength(2)
  for (const part of [email, name, '127.0.0.1', 'domains']) expect(table[1]).toContain(part)
  await page.getByLabel('Until', { exact: true }).fill('2020-01-02')
  await expect(page.getByText('Changes: 0')).toBeVisible()
})

test('the last Admin of two workspaces is led to switch to the other one', async ({ person }) => {
  const { page } = person
  expect((await person.call('POST', '/workspaces', { name: 'Second Engines' })).status).toBe(201)
  await opened(page, '/dashboard/security')
  const leave = page.getByRole('region', { name: 'Delete your account' })
  await expect(leave.getByRole('link', { name: /^Members of/ })).toHaveCount(1)
  await leave.getByRole('link', { name: /^Switch to/ }).click()
  await expect(page).toHaveURL(/workspaces/)
})

test('the last Admin of a workspace hands it over, and leaves', async ({
  setting,
  person,
  browser,
}) => {
  const { page, email, workspace } = person
  const context = await browser.newContext({ baseURL: setting.product.url })
  const mary = await aPerson(setting, context, await context.newPage(), { workspace, role: 'User' })
  await opened(page, '/dashboard/security')
  const leave = page.getByRole('region', { name: 'Delete your account' })
  await expect(leave).toContainText('You are the last Admin')
  await leave.getByRole('link', { name: /^Members of/ }).click()
  await expect(page).toHaveURL(/settings\?tab=users/)
  expect((await person.call('PATCH', `/members/${mary.user.id}`, { role: 'Admin' })).status).toBe(
    200,
  )
  await opened(page, '/dashboard/security')
  await leave.getByRole('button', { name: 'Delete account' }).click()
  const question = page.getByRole('alertdialog')
  const confirm = question.getByRole('button', { name: 'Delete account' })
  await expect(confirm).toBeDisabled()
  await question.getByLabel(`Type ${email} to confirm`).fill(email)
  await question.getByLabel('Your password', { exact: true }).fill(PASSWORD)
  await confirm.click()
  await expect(leave).toContainText('Your account ends on')
  await leave.getByRole('button', { name: 'Keep my account' }).click()
  await expect(leave.getByRole('button', { name: 'Delete account' })).toBeVisible()
  await opened(page, '/dashboard/audit-log?topic=members')
  await expect(page.getByRole('table')).toContainText('User → Admin')
  await context.close()
})
