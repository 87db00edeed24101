/** A morning's mail: I read, search, answer with a file, put away what is done, and take a mistake back. */
import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { aDomain, aMailbox, letRead, type Mailbox } from '#test-world/builders.ts'
import { ELSEWHERE } from '#test-world/product.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { holdDown, swipe } from './finger.ts'
import {
  expect,
  expectToast,
  opened,
  type Person,
  type Setting,
  test,
} from './specification/setting.ts'

type Letter = { subject: string; from?: string; body?: string; headers?: string[] }

const come = async ({ product }: Setting, { email }: Mailbox, letter: Letter): Promise<void> => {
  const from = `${letter.from ?? 'charles'}@${ELSEWHERE}`
  const raw = [
    `From: ${letter.from ?? 'Charles'} <${from}>`,
    `To: ${email}`,
    `Subject: ${letter.subject}`,
    `Message-ID: <${letter.subject.replaceAll(/\W/g, '-')}-${email}>`,
    ...(letter.headers ?? []),
    '',
    letter.body ?? 'Hello.',
    '',
  ].join('\r\n')
  expect(await sendMail(product.smtpPort, { from, to: email, raw })).toMatch(/^250 /)
}

test('I read, search, answer with a file, file the rest and take it back', async ({
  setting,
  person: { page, user, workspace },
}) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const mailbox = await aMailbox(setting, { domain })
  await letRead(setting, mailbox, user.id)
  const answers = (subject: string) => [`In-Reply-To: <${subject}-${mailbox.email}>`]
  await come(setting, mailbox, { subject: 'Plan', body: 'Shall we build the mill?' })
  await come(setting, mailbox, { subject: 'Tea', from: 'grace' })
  await come(setting, mailbox, { subject: 'Coal', from: 'eve', body: 'The price of anthracite.' })
  await opened(page, '/dashboard/view-mail')
  const list = page.getByRole('list', { name: 'Inbox' })
  const row = (subject: string) => list.getByRole('link', { name: new RegExp(subject) })
  await expect(row('Coal')).toBeVisible()
  await expect(page).toHaveTitle('(3) View Mail | Mailstead')

  // New mail comes by itself, and what answers stands with its question.
  await come(setting, mailbox, { subject: 'Re: Plan', from: 'grace', headers: answers('Plan') })
  await expect(row('Plan')).toContainText('Charles, grace')
  await expect(row('Plan')).toContainText('2 messages')
  await expect(list.getByRole('link')).toHaveCount(3)
  await expect(page).toHaveTitle('(4) View Mail | Mailstead')
  await row('Plan').click()
  const article = page.getByRole('article', { name: 'Plan', exact: true })
  await expect(article).toContainText('Shall we build the mill?')
  await expect(page).toHaveTitle('(2) View Mail | Mailstead')

  // I answer with a file; my answer is part of the conversation.
  await page.getByRole('button', { name: 'Reply', exact: true }).first().click()
  const form = page.getByRole('dialog', { name: 'Reply', exact: true })
  await form.getByRole('textbox', { name: 'Message' }).click()
  await page.keyboard.type('We shall.')
  const plan = { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('a plan') }
  await form.getByLabel('Files to attach').setInputFiles(plan)
  await expect(form.getByRole('list', { name: 'Attached files' })).toContainText('plan.txt')
  await form.getByRole('button', { name: 'Send' }).click()
  await expectToast(page, 'Message sent')
  await expect(row('Plan')).toContainText('3 messages')
  await expect(row('Plan')).toContainText('me')

  // A word of a text leads to its message, marked; parts of a name do too.
  const search = page.getByRole('searchbox', { name: 'Search mail' })
  await search.fill('anthra from:eve')
  const found = page.getByRole('list', { name: 'all mail' })
  await expect(found.getByRole('link')).toHaveCount(1)
  await expect(found.locator('mark', { hasText: 'anthra' })).toBeVisible()
  await search.fill('rles')
  await expect(page.getByText('No message contains these words.')).toBeVisible()
  await search.fill('')
  await expect(row('Tea')).toBeVisible()

  // What is deleted makes room for the next one, which stays unread until I turn to it.
  await row('Coal').click()
  await expect(row('Coal')).not.toContainText('Unread')
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expectToast(page, 'Moved to Trash')
  await expect(page.getByRole('article', { name: 'Tea', exact: true })).toContainText('Hello.')
  await expect(row('Coal')).toHaveCount(0)
  await expect(row('Tea')).toContainText('Unread')
  await page.getByRole('article', { name: 'Tea', exact: true }).click()
  await expect(row('Tea')).not.toContainText('Unread')
  await page.keyboard.press('z')
  await expect(row('Coal')).toBeVisible()

  // A folder of my own takes two at once; one press takes both back.
  await page.getByRole('button', { name: 'New folder' }).click()
  const dialog = page.getByRole('dialog', { name: 'New folder' })
  await dialog.getByLabel('Name').fill('inbox')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dialog.getByText('There is already a folder with this name')).toBeVisible()
  await dialog.getByLabel('Name').fill('Bills')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByText('Nothing in Bills')).toBeVisible()
  await expect(
    page.getByText('Select messages in another folder and move them here.'),
  ).toBeVisible()
  await page.getByRole('link', { name: /^Inbox/ }).click()
  await page.getByRole('checkbox', { name: 'Select Coal' }).click()
  await page.getByRole('checkbox', { name: 'Select Tea' }).click()
  await expect(page.getByText('2 selected')).toBeVisible()
  await page.getByRole('button', { name: 'Move, star and more' }).click()
  await page.getByRole('menuitem', { name: 'Bills' }).click()
  await expectToast(page, '2 moved to Bills')
  await expect(list.getByRole('link')).toHaveCount(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(list.getByRole('link')).toHaveCount(3)
})

test('I drag mail to a folder, take all files at once, empty Trash and Junk, and swipe with a finger', async ({
  setting,
  person: { page, user, workspace },
}) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const mailbox = await aMailbox(setting, { domain })
  await letRead(setting, mailbox, user.id)
  const file = (name: string) =>
    `--b\r\nContent-Type: text/plain; name=${name}\r\nContent-Disposition: attachment; filename=${name}\r\n\r\n${name}\r\n`
  const headers = ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b']
  for (const subject of ['Iron', 'Wood', 'Wool', 'Silk', 'Salt'])
    await come(setting, mailbox, { subject })
  await come(setting, mailbox, {
    ...{ subject: 'Files', headers, body: `${file('one.txt')}${file('two.txt')}--b--` },
  })
  await opened(page, '/dashboard/view-mail')
  const list = page.getByRole('list', { name: /^(?:Inbox|Trash|Junk)$/ })
  const row = (subject: string) => list.getByRole('link', { name: new RegExp(subject) })
  const folder = (name: string) =>
    page.getByRole('navigation', { name: 'Folders' }).getByRole('link', { name })
  await expect(row('Files')).toBeVisible()

  // One row alone; then, with one of the selected rows, all of them.
  await row('Iron').dragTo(folder('Archive'))
  await expectToast(page, 'Moved to Archive')
  await expect(row('Iron')).toHaveCount(0)
  for (const subject of ['Wood', 'Wool'])
    await page.getByRole('checkbox', { name: `Select ${subject}` }).click()
  await row('Wood').dragTo(folder('Junk'))
  await expectToast(page, '2 moved to Junk')
  await expect(list.getByRole('link')).toHaveCount(3)

  const highOf = async () => (await row('Salt').boundingBox())?.height
  expect(await highOf()).toBe(88)
  for (const [name, height] of [
    ['Compact list of mail', 56],
    ['Roomy list of mail', 88],
  ] as const) {
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menuitem', { name }).click()
    await expect.poll(highOf).toBe(height)
  }
  // So is the theme, for an Admin too.
  for (const [name, isDark] of [
    ['Dark theme', true],
    ['Light theme', false],
  ] as const) {
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('menuitem', { name }).click()
    await expect(page.locator('html.dark')).toHaveCount(isDark ? 1 : 0)
  }

  await row('Files').click()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download all' }).click()
  const archive = await download
  expect(archive.suggestedFilename()).toBe('Files.zip')
  const bytes = readFileSync(await archive.path()).toString('latin1')
  for (const part of ['PK', 'one.txt', 'two.txt']) expect(bytes).toContain(part)

  await page.keyboard.press('#')
  await expectToast(page, 'Moved to Trash')
  for (const name of ['Trash', 'Junk']) {
    await folder(name).click()
    await page.getByRole('button', { name: `Empty ${name}` }).click()
    const question = page.getByRole('alertdialog', { name: `Empty ${name}?` })
    await question.getByRole('button', { name: 'Delete for good' }).click()
    await expect(page.getByText(`Nothing in ${name}`)).toBeVisible()
  }

  // To the right archives, to the left deletes, a short way does nothing; held still selects.
  await page.setViewportSize({ width: 390, height: 844 })
  await opened(page, '/dashboard/view-mail')
  await expect(row('Salt')).toBeVisible()
  await swipe(page, row('Salt'), 60)
  await swipe(page, row('Salt'), 140)
  await expectToast(page, 'Archived')
  await expect(row('Salt')).toHaveCount(0)
  const held = await holdDown(page, row('Silk'))
  await expect(page.getByText('1 selected')).toBeVisible()
  await held.letGo()
  await page.getByRole('button', { name: 'Select none' }).click()
  await swipe(page, row('Silk'), -140)
  await expectToast(page, 'Moved to Trash')
  await expect(page.getByText('Nothing in Inbox')).toBeVisible()
})

/** The Inbox with one message, 'Small'. */
const openedOnPhone = async (
  setting: Setting,
  { page, user, workspace }: Person,
): Promise<Mailbox> => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const mailbox = await aMailbox(setting, { domain })
  await letRead(setting, mailbox, user.id)
  await come(setting, mailbox, { subject: 'Small' })
  await page.setViewportSize({ width: 390, height: 844 })
  await opened(page, '/dashboard/view-mail')
  return mailbox
}

test('on a phone one bar leads everywhere, the open mailbox is named, and one is selected with a finger', async ({
  setting,
  person,
}) => {
  const { page } = person
  const mailbox = await openedOnPhone(setting, person)
  const messages = page.getByRole('region', { name: 'Messages' })
  await expect(messages.getByText(mailbox.email)).toBeVisible()
  await expect(page.getByRole('banner')).toBeHidden()
  await expect(page.getByRole('searchbox')).toHaveCount(1)
  await expect(messages.getByRole('button', { name: 'Account menu' })).toBeVisible()
  const folders = messages.getByRole('button', { name: 'Folders and mailboxes' })
  await folders.click()
  await page.getByRole('button', { name: 'Go to' }).click()
  await expect(page.getByRole('dialog', { name: 'Command palette' })).toBeVisible()
  await page.keyboard.press('Escape')
  await folders.click()
  await page.getByRole('button', { name: 'All pages' }).click()
  const pages = page.getByRole('dialog', { name: 'Navigation' })
  await expect(pages.getByRole('link', { name: 'Dashboard' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(pages).toHaveCount(0)
  await page.getByRole('checkbox', { name: 'Select Small' }).click()
  const tools = page.getByRole('toolbar', { name: 'Selected' })
  await expectForTheThumb(page, tools)
  await tools.getByRole('button', { name: 'Archive' }).click()
  await expectToast(page, 'Archived')
  await expect(page.getByText('Nothing in Inbox')).toBeVisible()
})

test('on a phone all tools of a message are in reach, and on a tablet it has the room of the folders', async ({
  setting,
  person,
}) => {
  const { page } = person
  await openedOnPhone(setting, person)
  await page.getByRole('link', { name: /Small/ }).click()
  const tools = page.getByRole('toolbar', { name: 'Message' })
  await expectForTheThumb(page, tools)
  const article = page.getByRole('article', { name: 'Small' })
  const leftOf = async (part: Locator) => (await part.boundingBox())?.x
  const name = article.locator('header bdi')
  await expect.poll(() => leftOf(article.locator('header time'))).toBe(await leftOf(name))

  await tools.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Forward' }).click()
  await expect(page.getByRole('dialog', { name: 'Forward' })).toBeVisible()
  await page.keyboard.press('Escape')

  await page.setViewportSize({ width: 768, height: 1024 })
  await expect(tools.getByRole('button', { name: 'Forward' })).toBeVisible()
  const folders = page.getByRole('navigation', { name: 'Folders' })
  await expect(folders).toBeHidden()
  await tools.getByRole('button', { name: 'Back to the list' }).click()
  await expect(folders).toBeVisible()
})

/** Large where a phone has room for it, and all of them on the narrowest. */
const expectForTheThumb = async (page: Page, tools: Locator): Promise<void> => {
  const buttons = tools.getByRole('button')
  const boxes = () =>
    buttons.evaluateAll((all) =>
      all.map((each) => each.getBoundingClientRect()).filter(({ width }) => width > 0),
    )
  for (const [width, least] of [
    [320, 32],
    [390, 40],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    await expect
      .poll(async () => Math.min(...(await boxes()).map((box) => box.width)))
      .toBeGreaterThanOrEqual(least)
    expect(Math.max(...(await boxes()).map(({ right }) => right))).toBeLessThanOrEqual(width)
  }
}
