/** I read, sort and write my mail in the browser. */
import { expect } from '@playwright/test'
import type { Product } from '#test-world/product.ts'
import { aReader, type Reader } from '#test-world/reader.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { getSession } from './browsers.ts'
import { opened, test } from './specification/setting.ts'

let product: Product
let reader: Reader

test.beforeAll(async ({ setting }) => {
  product = setting.product
  reader = await aReader(product.dataDir)
})

test.beforeEach(async ({ page }) => {
  await getSession(page, reader)
  await opened(page, '/dashboard/view-mail')
})

test('a draft waits for me with all that I wrote, and is gone when it is sent', async ({
  page,
}) => {
  // On a wide screen the mail has all of it.
  const width = 1920
  await page.setViewportSize({ width, height: 1080 })
  const reading = page.getByRole('region', { name: 'Reading' })
  await expect
    .poll(() => reading.evaluate((pane) => pane.getBoundingClientRect().right))
    .toBe(width)

  await page.getByRole('button', { name: 'Compose' }).click()
  const dialog = page.getByRole('dialog', { name: 'New message' })
  await dialog.getByLabel('To', { exact: true }).fill('nonsense')
  await dialog.getByRole('button', { name: 'Send' }).click()
  await expect(dialog.getByText('Invalid email address: nonsense')).toBeVisible()
  await dialog.getByRole('button', { name: 'Remove nonsense' }).click()
  await dialog.getByRole('button', { name: 'Send' }).click()
  await expect(dialog.getByText('Please enter at least one recipient')).toBeVisible()

  await dialog.getByLabel('To', { exact: true }).fill(reader.address)
  await dialog.getByRole('button', { name: 'Send' }).click()
  const question = page.getByRole('alertdialog', { name: 'Send an empty message?' })
  await question.getByRole('button', { name: 'Keep writing' }).click()
  await expect(question).toHaveCount(0)
  await expect(dialog.getByLabel('To', { exact: true })).toBeFocused()
  await dialog.getByLabel('Subject').fill('The second engine')
  await dialog.getByRole('textbox', { name: 'Message' }).click()
  await page.keyboard.type('It has a mill and a store.')
  await dialog
    .getByLabel('Files to attach')
    .setInputFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('a plan') })
  await expect(dialog.getByText('plan.txt')).toBeVisible()

  await expect(dialog.getByText('Saved', { exact: true })).toBeVisible()
  await dialog.getByRole('button', { name: 'Minimise' }).click()
  await expect(dialog.getByLabel('Subject')).toBeHidden()
  await dialog.getByRole('button', { name: 'Show the message' }).click()
  await dialog.getByLabel('Subject').press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('Draft saved').first()).toBeVisible()

  await page.getByRole('link', { name: /^Drafts/ }).click()
  await page.getByRole('link', { name: /The second engine/ }).click()
  const draft = page.getByRole('dialog', { name: 'Draft' })
  await expect(draft.getByText('It has a mill and a store.')).toBeVisible()
  await expect(draft.getByText('plan.txt')).toBeVisible()
  await draft.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText('Message sent').first()).toBeVisible()
  await expect(page.getByText('Nothing in Drafts')).toBeVisible()

  await page.getByRole('link', { name: /^Sent/ }).click()
  await page.getByRole('link', { name: /The second engine/ }).click()
  await page.getByRole('button', { name: 'Delivered Journey' }).click()
  const journey = page.getByRole('region', { name: 'Journey' })
  await expect(journey).toContainText(`Accepted from ${reader.address}, signed for`)
  await expect(journey).toContainText('Delivered to the mailbox, which is on this server.')

  await page.getByRole('link', { name: /^Inbox/ }).click()
  await page.getByRole('link', { name: /The second engine/ }).click()
  await expect(page.frameLocator('article iframe').getByText('It has a mill')).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: /Download plan.txt/ }).click()
  expect((await download).suggestedFilename()).toBe('plan.txt')
})

test('I press Compose and type: the address goes where it belongs', async ({ page }) => {
  await page.getByRole('button', { name: 'Compose' }).click()
  const to = page.getByRole('dialog', { name: 'New message' }).getByLabel('To', { exact: true })
  await expect(to).toBeFocused()
  await page.keyboard.type('grace@elsewhere.example', { delay: 20 })
  await expect(to).toHaveValue('grace@elsewhere.example')
})

test('what I put away goes where it belongs and comes back when I want', async ({ page }) => {
  await receive('Sort me')
  const row = page.getByRole('link', { name: /Sort me/ })
  await expect(row).toContainText('Unread')
  await row.click()
  await expect(row).not.toContainText('Unread')
  await opened(page)
  await expect(page.getByRole('article', { name: 'Sort me' })).toBeVisible()

  const tools = page.getByRole('toolbar', { name: 'Message', exact: true }).getByRole('button')
  const names = ['Reply', 'Reply all', 'Forward', 'Archive', 'Delete', 'Junk', 'Star']
  for (const [n, name] of [...names, 'More actions'].entries())
    await expect(tools.nth(n)).toHaveAccessibleName(name)

  await page.keyboard.press('#')
  await expect(page.getByText('Moved to Trash').first()).toBeVisible()
  await expect(row).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toBeVisible()

  await row.click()
  await page.getByRole('button', { name: 'Junk', exact: true }).click()
  await page.getByRole('link', { name: /^Junk/ }).click()
  await row.click()
  await page.getByRole('button', { name: 'Not junk' }).click()
  await page.getByRole('link', { name: /^Inbox/ }).click()
  await row.click()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Mark as unread' }).click()
  await expect(row).toContainText('Unread')
})

test('I type the moment I have pressed Reply: no key of mine puts the message away', async ({
  page,
}) => {
  await receive('Seats')
  let letFormCome = () => {}
  const isLate = new Promise<void>((resolve) => {
    letFormCome = resolve
  })
  await page.route('**/assets/letter-windows-*.js', async (route) => {
    await isLate
    await route.fallback()
  })
  await opened(page)
  await page.getByRole('link', { name: /Seats/ }).click()
  await page.getByRole('button', { name: 'Reply', exact: true }).click()
  for (const key of 'e#uj') await page.keyboard.press(key)
  letFormCome()
  const form = page.getByRole('dialog', { name: 'Reply' })
  await expect(form.getByLabel('Subject')).toHaveValue('Re: Seats')
  await form.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('heading', { name: 'Seats' })).toBeVisible()
  await page.getByRole('link', { name: /^Inbox/ }).click()
  await expect(page.getByRole('link', { name: /Seats/ })).toBeVisible()
})

test('I search, and go back to where I was', async ({ page }) => {
  await receive('A needle')
  await expect(page.getByRole('link', { name: /A needle/ })).toBeVisible()
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type('needle')
  await expect(page).toHaveURL(/q=needle/)
  await expect(page.getByRole('link', { name: /Unread|From/ })).toHaveCount(1)
  await expect(page.getByRole('heading', { name: '“needle” in all mail' })).toBeVisible()
  await page.getByRole('searchbox').fill('straw')
  await expect(page.getByText('Nothing found')).toBeVisible()
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(page.getByRole('link', { name: /A needle/ })).toBeVisible()
})

test('my name and signature are kept, and stand below what I write', async ({ page }) => {
  await page.getByRole('link', { name: 'Mailbox settings' }).click()
  const parts = page.getByRole('main').getByRole('heading', { level: 2 })
  await expect(parts).toHaveText([
    ...[
      'Vacation reply',
      'Writing',
      'Mail programs',
      'Aliases',
      'Pictures',
      'Storage',
      'Export and import',
      'Sending',
      'Access',
    ],
  ])
  for (const about of aboutParts) await expect(page.getByText(about, { exact: true })).toBeVisible()
  await page.getByLabel('First name').fill('Augusta')
  await page.getByRole('textbox', { name: 'Signature' }).click()
  await page.keyboard.type('Countess of Lovelace')
  await expect(page.getByRole('textbox', { name: 'Signature' })).toHaveText('Countess of Lovelace')
  await page.getByRole('link', { name: 'View Mailbox' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Mailbox saved').first()).toBeVisible()
  await page.getByRole('link', { name: 'View Mailbox' }).click()
  await page.getByRole('button', { name: 'Compose' }).click()
  const dialog = page.getByRole('dialog', { name: 'New message' })
  await expect(dialog.getByText('From Augusta Lovelace')).toBeVisible()
  await expect(dialog.getByText('Countess of Lovelace')).toBeVisible()

  // A press in the empty part leads to my own text, not behind the signature.
  const text = dialog.getByRole('textbox', { name: 'Message', exact: true })
  const box = await text.boundingBox()
  const belowText = { position: { x: 40, y: (box?.height ?? 0) - 12 } }
  await text.click(belowText)
  await page.keyboard.type('Dear Grace')
  await dialog.getByLabel('Subject').click()
  await text.click(belowText)
  await page.keyboard.type(', hello.')
  await expect(text.locator('p')).toHaveText(['Dear Grace, hello.', '', 'Countess of Lovelace'])
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
})

const aboutParts = [
  'The name that others see, and all else about one mailbox',
  'An automatic answer while you are away',
  'Other addresses whose mail lands in this mailbox. Messages can be sent from them too.',
  'Senders whose pictures are always shown. Other pictures wait until you ask for them, because loading them tells the sender that you read the message.',
  'How much storage the mail of this mailbox and its workspace uses',
  'Mail as an mbox file, which every mail program can read',
  'To recipients outside this workspace, in the last 24 hours',
  'Who signs in with this address, who reads the mail, and the access log',
]

test('new mail is told outside the page when I asked for that, and leads to the message', async ({
  page,
}) => {
  await expect(page.getByRole('button', { name: 'Compose' })).toBeVisible()
  await page.addInitScript(beADesktop)
  await page.reload()
  await opened(page)
  await receive('Before I asked')
  await expect(page.getByRole('link', { name: /Before I asked/ })).toBeVisible()
  const { told, asked } = await page.evaluate(() => window.desktop)
  expect({ told, asked }).toEqual({ told: [], asked: 0 })
  // Waits until the page knows the present mail: a mail that arrives before causes no notification.
  const newest = /\/messages\?.*limit=5/
  const answer = Promise.withResolvers<void>()
  await page.route(newest, async (route) => {
    await answer.promise
    await route.continue()
  })
  const asking = page.waitForRequest(newest)
  await page.getByRole('button', { name: 'Notify of new mail' }).click()
  await asking
  expect(await page.getByRole('button', { name: 'Notifications on' }).count()).toBe(0)
  answer.resolve()
  await expect(page.getByRole('button', { name: 'Notifications on' })).toBeVisible()

  await receive('The boat is in')
  const tellings = () => page.evaluate(() => window.desktop.told.map(({ words }) => words))
  await expect.poll(tellings).toEqual([['Grace', 'The boat is in']])
  await expect(page).toHaveTitle(/^\(\d+\) /)
  await page.evaluate(() => window.desktop.told[0]?.onclick?.())
  await expect(page.getByRole('article', { name: 'The boat is in' })).toBeVisible()

  await page.getByRole('button', { name: 'Notifications on' }).click()
  await receive('After it')
  await expect(page.getByRole('link', { name: /After it/ })).toBeVisible()
  await page.getByRole('button', { name: 'Notify of new mail' }).click()
  await expect(page.getByRole('button', { name: 'Notifications on' })).toBeVisible()
  expect(await tellings()).toHaveLength(1)
})

type Telling = { words: [title: string, body: string]; onclick: (() => void) | null }
declare global {
  interface Window {
    /** What the page asked of it. */
    desktop: { told: Telling[]; asked: number }
  }
}

/**
 * Runs in the page: the desktop around it, which a browser without windows has not. Its owner looks at another window, and
 * allows whatever is asked.
 */
const beADesktop = (): void => {
  const desktop: Window['desktop'] = { told: [], asked: 0 }
  class Notification implements Telling {
    static permission = 'default'
    static async requestPermission() {
      desktop.asked += 1
      Notification.permission = 'granted'
    }
    onclick: (() => void) | null = null
    readonly words: Telling['words']
    constructor(title: string, { body }: { body: string }) {
      this.words = [title, body]
      desktop.told.push(this)
    }
    close() {}
  }
  Object.assign(window, { desktop, Notification })
  document.hasFocus = () => false
}

const receive = async (subject: string): Promise<void> => {
  const raw = `From: Grace <grace@elsewhere.example>\r\nTo: ${reader.address}\r\nSubject: ${subject}\r\nMessage-ID: <${subject.replaceAll(' ', '-')}@elsewhere.example>\r\nDate: ${new Date().toUTCString()}\r\n\r\nHello.\r\n`
  const letter = { from: 'grace@elsewhere.example', to: reader.address, raw }
  expect(await sendMail(product.smtpPort, letter)).toMatch(/^250 /)
}
