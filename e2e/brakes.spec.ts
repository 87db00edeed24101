/** What keeps one mailbox from harming the name of all: its limits, and the stop after a burst of bounces. */
import type { Page } from '@playwright/test'
import {
  aDomain,
  aMailbox,
  aWorkspace,
  letRead,
  type Mailbox,
  type Workspace,
} from '#test-world/builders.ts'
import { ELSEWHERE } from '#test-world/product.ts'
import {
  aPerson,
  expect,
  expectToast,
  opened,
  type Setting,
  test,
} from './specification/setting.ts'

const DAY_MS = 24 * 3600_000

const aMailboxIn = async (setting: Setting, { id: workspaceId }: Workspace): Promise<Mailbox> => {
  const domain = await aDomain(setting, { workspaceId, active: true })
  return aMailbox(setting, { domain, localPart: 'ada' })
}

/** Whose limits are whole. */
const anOldWorkspace = (setting: Setting) =>
  aWorkspace(setting, { createdAt: new Date(Date.now() - 30 * DAY_MS) })

const gone = (count: number) =>
  Array.from({ length: count }, (_, n) => `gone${n}@${ELSEWHERE}`).join(', ')

const write = async (page: Page, to: string, subject: string) => {
  await page.getByRole('button', { name: 'Compose' }).click()
  const dialog = page.getByRole('dialog', { name: 'New message' })
  await dialog.getByLabel('To', { exact: true }).fill(to)
  await dialog.getByLabel('Subject').fill(subject)
  await dialog.getByRole('textbox', { name: 'Message' }).click()
  await page.keyboard.type('The engine is ready.')
  await dialog.getByRole('button', { name: 'Send' }).click()
  return dialog
}

const mailPath = ({ id }: Mailbox) => `/dashboard/view-mail?mailbox=${id}`
const settingsPath = ({ id }: Mailbox) => `/dashboard/mail-box-settings?mailbox=${id}`

test('I write to more people than I may: I am told what fits and when, and nothing that I wrote is lost', async ({
  setting,
  context,
  page,
}) => {
  const workspace = await anOldWorkspace(setting)
  const ada = await aPerson(setting, context, page, { workspace })
  const mailbox = await aMailboxIn(setting, workspace)
  await letRead(setting, mailbox, ada.user.id)
  const sent = await ada.call('POST', `/mailboxes/${mailbox.id}/messages`, {
    to: [`grace@${ELSEWHERE}`, `alan@${ELSEWHERE}`],
  })
  expect(sent.status).toBe(201)

  await opened(page, mailPath(mailbox))
  const dialog = await write(page, gone(15), 'To everybody')
  const alert = dialog.getByRole('alert')
  await expect(alert).toContainText(
    'In 24 hours this mailbox may write to 15 new recipients, to whom it has never written before; 2 are used. This message has 15 of them: 13 would fit now. There will be room for the whole message at',
  )
  await expect(alert).toContainText('you can save it as a draft')
  await expect(dialog.getByLabel('Subject')).toHaveValue('To everybody')
  await dialog.getByRole('button', { name: 'Save draft' }).click()
  await expectToast(page, 'Draft saved')
  await page.getByRole('link', { name: /^Drafts/ }).click()
  await page.getByRole('link', { name: /To everybody/ }).click()
  const draft = page.getByRole('dialog', { name: 'Draft' })
  await expect(draft.getByText('The engine is ready.')).toBeVisible()
  await draft.getByRole('button', { name: `Remove gone0@${ELSEWHERE}` }).click()
  await draft.getByRole('button', { name: `Remove gone1@${ELSEWHERE}` }).click()
  await draft.getByRole('button', { name: 'Send' }).click()
  await expectToast(page, 'Message sent')

  // The Admins got a mail, and see the stop in the settings.
  const { email } = await setting.product.mailTo(ada.email)
  expect(email.subject).toBe(`${mailbox.email} has reached its sending limit`)
  await opened(page, settingsPath(mailbox))
  await expect(page.getByText('15 of 40')).toBeVisible()
  await expect(page.getByText('15 of 15')).toBeVisible()
  await expect(
    page.getByRole('progressbar', { name: 'New recipients, never written to before' }),
  ).toHaveAttribute('aria-valuenow', '100')
})

test('other servers refuse what we send: it stops, its user and the Admin learn why, and the Admin resumes it', async ({
  setting,
  browser,
  context,
  page,
}) => {
  const { product } = setting
  product.peer.behave = (stage, address) =>
    stage === 'rcpt' && address.startsWith('gone') ? '550 5.1.1 Nobody of that name' : undefined
  const workspace = await anOldWorkspace(setting)
  const admin = await aPerson(setting, context, page, { workspace })
  const mailbox = await aMailboxIn(setting, workspace)
  const theirs = await browser.newContext({ baseURL: product.url })
  const user = await aPerson(setting, theirs, await theirs.newPage(), { workspace, role: 'User' })
  await letRead(setting, mailbox, user.user.id)

  await opened(user.page, mailPath(mailbox))
  await opened(page, '/dashboard/mailboxes')
  const row = page.getByRole('row', { name: mailbox.email })
  await expect(row.getByText('Active', { exact: true })).toBeVisible()
  await expect(row.getByText('Sending stopped')).toHaveCount(0)
  await write(user.page, gone(12), 'To an old list')
  await expectToast(user.page, 'Message sent')

  // Both pages learn of it while they are open.
  const note = user.page.getByText(/has stopped: 1\d of 1\d deliveries were refused for good/)
  await expect(note).toBeVisible()
  await expect(row.getByText('Sending stopped')).toBeVisible()
  const dialog = await write(user.page, `friend@${ELSEWHERE}`, 'To a friend')
  await expect(dialog.getByRole('alert')).toContainText('An Admin of this workspace can resume it.')
  await expect(dialog.getByLabel('Subject')).toHaveValue('To a friend')
  await dialog.getByRole('button', { name: 'Save draft' }).click()
  await expectToast(user.page, 'Draft saved')
  await user.page.getByRole('link', { name: 'See why, and what to do' }).click()
  const alert = user.page.getByRole('alert')
  await expect(alert).toContainText('550 5.1.1 Nobody of that name')
  await expect(alert).toContainText('An Admin of this workspace can resume it.')
  await expect(alert.getByRole('button')).toHaveCount(0)
  await expect(alert).toBeInViewport()
  await expect(user.page.getByText('Sending has stopped.')).toBeVisible()

  const { email } = await product.mailTo(admin.email)
  expect(email.subject).toBe(`Sending from ${mailbox.email} has stopped`)
  expect(email.text).toContain('“550 5.1.1 Nobody of that name”')

  await page.getByRole('button', { name: `Actions for ${mailbox.email}` }).press('Enter')
  await page.getByRole('menuitem', { name: 'Resume sending' }).press('Enter')
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('“550 5.1.1 Nobody of that name”')
  await question.getByRole('button', { name: 'Resume sending' }).press('Enter')
  await expectToast(page, 'Sending resumed')
  await expect(row.getByText('Sending stopped')).toHaveCount(0)
  await expect(alert).toHaveCount(0)
  await opened(user.page, `${mailPath(mailbox)}&folder=drafts`)
  await user.page.getByRole('link', { name: /To a friend/ }).click()
  await user.page
    .getByRole('dialog', { name: 'Draft' })
    .getByRole('button', { name: 'Send' })
    .click()
  const { message } = await product.mailTo(`friend@${ELSEWHERE}`)
  expect(message.from).toBe(mailbox.email)
  await theirs.close()
})
