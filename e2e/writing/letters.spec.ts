/** I write several letters at once, answer inside the thread, drop files where I like, and go back on a phone. */
import type { Page } from '@playwright/test'
import { aDomain, aMailbox, letRead } from '#test-world/builders.ts'
import { ELSEWHERE } from '#test-world/product.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import {
  expect,
  holding,
  opened,
  type Person,
  type Setting,
  test,
} from '../specification/setting.ts'

const form = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const textIn = (page: Page, name: string) =>
  form(page, name).getByRole('textbox', { name: 'Message', exact: true })
const buttonIn = (page: Page, form_: string, name: string) =>
  form(page, form_).getByRole('button', { name, exact: true })

const FILE = Buffer.from('a plan').toString('base64')
const withFile = (text: string) =>
  [
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    text,
    '--b',
    'Content-Type: text/plain; name=plan.txt',
    'Content-Disposition: attachment; filename=plan.txt',
    'Content-Transfer-Encoding: base64',
    '',
    FILE,
    '--b--',
    '',
  ].join('\r\n')

const aReader = async (setting: Setting, { user, workspace }: Person) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const mailbox = await aMailbox(setting, { domain })
  await letRead(setting, mailbox, user.id)
  const from = `grace@${ELSEWHERE}`
  const people = Array.from({ length: 21 }, (_, at) => `Person ${at} <p${at}@${ELSEWHERE}>`)
  const raw = `From: Grace <${from}>\r\nTo: ${mailbox.email}\r\nCc: ${people.join(', ')}\r\nSubject: The mill\r\nMessage-ID: <${crypto.randomUUID()}@${ELSEWHERE}>\r\nMIME-Version: 1.0\r\n${withFile('Shall we build it?')}`
  expect(await sendMail(setting.product.smtpPort, { from, to: mailbox.email, raw })).toMatch(
    /^250 /,
  )
  return mailbox
}

const openMail = async (page: Page, mailboxId: string) => {
  await opened(page, `/dashboard/view-mail?mailbox=${mailboxId}`)
  await page.getByRole('link', { name: /The mill/ }).click()
  await expect(page.getByRole('article', { name: 'The mill' })).toContainText('Shall we build it?')
}

const isIn = (page: Page, name: string, selector: string) =>
  form(page, name).evaluate((dock, within) => dock.closest(within) !== null, selector)

test('I answer in the thread, write another letter beside it, and both wait for me', async ({
  setting,
  person,
}) => {
  const { page } = person
  const mailbox = await aReader(setting, person)
  await openMail(page, mailbox.id)
  await page.getByRole('button', { name: 'Reply', exact: true }).click()
  await expect(textIn(page, 'Reply')).toBeFocused()
  await page.keyboard.type('Gladly.')
  expect(await isIn(page, 'Reply', 'article')).toBe(true)
  const article = page.getByRole('article', { name: 'The mill' })
  await expect(article.getByText('Shall we build it?')).toBeInViewport()
  // The same reply again is that reply.
  await form(page, 'Reply').getByLabel('Subject').press('Shift+Tab')
  await page.getByRole('button', { name: 'Reply', exact: true }).first().click()
  await expect(textIn(page, 'Reply')).toBeFocused()
  await expect(form(page, 'Reply')).toHaveCount(1)

  await page.getByRole('button', { name: 'Compose' }).click()
  await textIn(page, 'New message').click()
  await page.keyboard.type('Dear Ada,')
  await expect(textIn(page, 'Reply')).toHaveText('Gladly.')

  // Popped out it is beside the other one; in full size the other makes way.
  await buttonIn(page, 'Reply', 'Pop out').click()
  expect(await isIn(page, 'Reply', 'article')).toBe(false)
  await expect(textIn(page, 'Reply')).toHaveText('Gladly.')
  await expect(textIn(page, 'New message')).toBeVisible()
  const [left, right] = await Promise.all([
    form(page, 'New message').boundingBox(),
    form(page, 'Reply').boundingBox(),
  ])
  const [first, second] = [left, right].toSorted((one, other) => (one?.x ?? 0) - (other?.x ?? 0))
  expect((first?.x ?? 0) + (first?.width ?? 0)).toBeLessThanOrEqual(second?.x ?? 0)
  await buttonIn(page, 'Reply', 'Full size').click()
  expect((await form(page, 'Reply').boundingBox())?.width).toBeGreaterThan(1_000)
  await buttonIn(page, 'Reply', 'Smaller').click()

  // In a narrow window one is shown, and the other is one click away.
  await page.setViewportSize({ width: 768, height: 1024 })
  await expect(page.getByRole('button', { name: 'Show the message' })).toHaveCount(1)
  await page.getByRole('button', { name: 'Show the message' }).click()
  await expect(page.getByRole('button', { name: 'Show the message' })).toHaveCount(1)
  await page.setViewportSize({ width: 1440, height: 900 })

  // A reload brings back both.
  await expect(form(page, 'Reply')).toHaveCount(1)
  await opened(page)
  await expect(form(page, 'Reply')).toContainText('Gladly.')
  await expect(form(page, 'New message')).toContainText('Dear Ada,')
})

test('I take back an answer into its thread; what I put down waits at the bottom', async ({
  setting,
  person,
}) => {
  const { page, call } = person
  const writing = { undoSeconds: 30, writesPlainText: false }
  expect((await call('PUT', '/preferences/writing', writing)).status).toBe(200)
  const mailbox = await aReader(setting, person)
  await openMail(page, mailbox.id)
  await page.getByRole('button', { name: 'Reply', exact: true }).click()
  await expect(textIn(page, 'Reply')).toBeFocused()
  await page.keyboard.type('Gladly.')
  await buttonIn(page, 'Reply', 'Send').click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(textIn(page, 'Draft')).toContainText('Gladly.')
  expect(await isIn(page, 'Draft', 'article')).toBe(true)

  await page.getByRole('button', { name: 'Compose' }).click()
  await textIn(page, 'New message').click()
  await page.keyboard.type('Dear Ada,')
  await buttonIn(page, 'Draft', 'Pop out').click()
  await buttonIn(page, 'New message', 'Minimise').click()
  const [bar, open] = await Promise.all([
    form(page, 'New message').boundingBox(),
    form(page, 'Draft').boundingBox(),
  ])
  const bottomOf = (box: typeof bar) => (box ? Math.round(box.y + box.height) : null)
  expect(bottomOf(bar)).toBe(bottomOf(open))
  await buttonIn(page, 'New message', 'Show the message').click()
  await expect(textIn(page, 'New message')).toBeFocused()
})

/** In the page: what a browser does when a file is dragged over this element, or dropped on it. Returns whether it was taken. */
const giveFile = (element: Element, type: string) => {
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File(['a map'], 'map.txt', { type: 'text/plain' }))
  return !element.dispatchEvent(
    new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }),
  )
}

test('I forward and type at once, drop a file anywhere, and fold the many I write to', async ({
  setting,
  person,
}) => {
  const { page } = person
  const mailbox = await aReader(setting, person)
  await openMail(page, mailbox.id)
  const letCopy = await holding(page, '/mailboxes/*/uploads/copies')
  await page.getByRole('button', { name: 'Forward' }).click()
  await textIn(page, 'Forward').click()
  await page.keyboard.type('See the plan.')
  await expect(form(page, 'Forward').getByRole('button', { name: 'Cancel plan.txt' })).toBeVisible()
  letCopy()
  await expect(form(page, 'Forward').getByRole('button', { name: 'Remove plan.txt' })).toBeVisible()
  await expect(form(page, 'Forward').getByText('Saved', { exact: true })).toBeVisible()

  const list = page.getByRole('region', { name: 'Messages' })
  expect(await list.evaluate(giveFile, 'dragover')).toBe(true)
  await expect(form(page, 'Forward').getByText('Drop files to attach')).toBeVisible()
  expect(await list.evaluate(giveFile, 'drop')).toBe(true)
  await expect(page.getByText('Drop files to attach')).toHaveCount(0)
  await expect(form(page, 'Forward').getByText('map.txt')).toBeVisible()
  await buttonIn(page, 'Forward', 'Close').click()
  await expect(form(page, 'Forward')).toHaveCount(0)
  // Without a letter it begins one.
  await list.evaluate(giveFile, 'dragover')
  await expect(page.getByText('Drop files to attach')).toBeVisible()
  await list.evaluate(giveFile, 'drop')
  await expect(form(page, 'New message').getByText('map.txt')).toBeVisible()
  await buttonIn(page, 'New message', 'Close').click()
  await expect(form(page, 'New message')).toHaveCount(0)

  await page.getByRole('button', { name: 'Reply all' }).click()
  await expect(form(page, 'Reply to all').getByText('21 people')).toBeVisible()
  await form(page, 'Reply to all').getByLabel('Cc', { exact: true }).focus()
  await expect(
    form(page, 'Reply to all').getByRole('button', { name: /^Remove Person/ }),
  ).toHaveCount(21)
  await form(page, 'Reply to all').getByLabel('Subject').focus()
  await expect(form(page, 'Reply to all').getByText('21 people')).toBeVisible()
  await expect(textIn(page, 'Reply to all')).toBeInViewport()

  // A mistyped provider is asked about; a refused letter leads to what is wrong.
  await page.getByRole('button', { name: 'Compose' }).click()
  const letter = form(page, 'New message')
  await letter.getByLabel('Subject').fill('Hello')
  await buttonIn(page, 'New message', 'Send').click()
  await expect(letter.getByLabel('To', { exact: true })).toBeFocused()
  await page.keyboard.type('mara@gmial.con, mara@gmial.con,')
  await expect(letter.getByRole('button', { name: /^Remove mara/ })).toHaveCount(1)
  await expect(letter.getByText('Did you mean gmail.com?')).toBeVisible()
  await letter.getByRole('button', { name: 'Change it' }).click()
  await expect(letter.getByRole('button', { name: 'Remove mara@gmail.com' })).toBeVisible()
  await expect(letter.getByText('Did you mean')).toHaveCount(0)

  // Off line it is said at once, in the list and in each letter, and by no toast.
  await page.context().setOffline(true)
  const offline = page.getByText('You are offline. What you write is kept on this device.')
  await expect(offline).toHaveCount(3)
  await buttonIn(page, 'New message', 'Minimise').click()
  await page.getByRole('link', { name: /^Sent/ }).click()
  await expect(page.getByText('The messages could not be loaded')).toBeVisible()
  await expect(page.getByText('❌')).toHaveCount(0)
  await page.context().setOffline(false)
  await expect(offline).toHaveCount(0)
})

test('on a phone Back closes the letter, and leaves the message behind it open', async ({
  setting,
  person,
}) => {
  const { page } = person
  await page.setViewportSize({ width: 390, height: 844 })
  const mailbox = await aReader(setting, person)
  await openMail(page, mailbox.id)
  const address = page.url()
  await page.getByRole('button', { name: 'Reply', exact: true }).click()
  await textIn(page, 'Reply').click()
  await page.keyboard.type('Gladly.')
  // The tools fold until they are wanted.
  await expect(buttonIn(page, 'Reply', 'Bold')).toBeHidden()
  await buttonIn(page, 'Reply', 'Formatting').click()
  await expect(buttonIn(page, 'Reply', 'Bold')).toBeVisible()
  await page.goBack()
  await expect(form(page, 'Reply')).toHaveCount(0)
  expect(page.url()).toBe(address)
  await expect(page.getByRole('article', { name: 'The mill' })).toBeVisible()

  // Closed by its button, it leaves nothing in the history either.
  await page.getByRole('button', { name: 'Reply', exact: true }).click()
  await expect(textIn(page, 'Reply')).toBeFocused()
  await buttonIn(page, 'Reply', 'Close').click()
  await expect(form(page, 'Reply')).toHaveCount(0)
  await page.goBack()
  await expect(page.getByRole('article', { name: 'The mill' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: /The mill/ })).toBeVisible()
})

test('on a phone I write a second letter while the first is minimised, and come back to it', async ({
  setting,
  person,
}) => {
  const { page } = person
  await page.setViewportSize({ width: 390, height: 844 })
  const mailbox = await aReader(setting, person)
  await opened(page, `/dashboard/view-mail?mailbox=${mailbox.id}`)
  const compose = page.getByRole('button', { name: 'Compose' })
  for (const subject of ['The quay', 'The weir']) {
    await compose.click()
    await form(page, 'New message').getByRole('textbox', { name: 'Subject' }).fill(subject)
    await buttonIn(page, 'New message', 'Minimise').click()
  }
  const bars = page.getByRole('button', { name: 'Show the message' })
  await expect(bars).toHaveCount(2)
  // Nothing lies under a bar: neither the button nor the end of the list.
  const [button, top] = await Promise.all([compose.boundingBox(), bars.first().boundingBox()])
  expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThan(top?.y ?? 0)
  await compose.click()
  await buttonIn(page, 'New message', 'Minimise').click()
  await page
    .getByRole('dialog')
    .filter({ hasText: 'The quay' })
    .getByRole('button', { name: 'Show the message' })
    .click()
  await expect(page.getByRole('textbox', { name: 'Subject' })).toHaveValue('The quay')
})
