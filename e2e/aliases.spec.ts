/** I give a mailbox more addresses, write as one of them, and a mailbox catches mail for unknown addresses. */
import { aDomain, aMailbox, type Domain, letRead, type Mailbox } from '#test-world/builders.ts'
import { ELSEWHERE } from '#test-world/product.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { expectAt, press, tabTo } from './keyboard/keys.ts'
import {
  expect,
  expectToast,
  opened,
  type Person,
  type Setting,
  test,
} from './specification/setting.ts'

const aReadMailbox = async (
  setting: Setting,
  { user }: Person,
  given: { domain: Domain; localPart: string; firstName?: string },
): Promise<Mailbox> => {
  const mailbox = await aMailbox(setting, given)
  await letRead(setting, mailbox, user.id)
  return mailbox
}

const grace = `grace@${ELSEWHERE}`
const receive = ({ product }: Setting, to: string, subject: string) => {
  const id = `${crypto.randomUUID()}@${ELSEWHERE}`
  const raw = `From: Grace <${grace}>\r\nTo: ${to}\r\nSubject: ${subject}\r\nMessage-ID: <${id}>\r\n\r\nHello.\r\n`
  return sendMail(product.smtpPort, { from: grace, to, raw })
}

test('a mailbox gets an alias, answers as it, and loses it again', async ({ setting, person }) => {
  const { page, workspace } = person
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const other = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const ada = await aReadMailbox(setting, person, { domain, localPart: 'ada' })
  const countess = `countess@${other.name}`
  expect(await receive(setting, countess, 'Too early')).toMatch(/^550 /)

  await opened(page, `/dashboard/mail-box-settings?mailbox=${ada.id}`)
  const aliases = page.getByRole('region', { name: 'Aliases' })
  await expect(aliases).toContainText('No aliases yet')
  const name = aliases.getByLabel('New alias')
  const add = aliases.getByRole('button', { name: 'Add alias' })
  for (const [typed, refusal] of [
    ['', 'Invalid email address'],
    ['not an address', 'Invalid email address'],
    ['postmaster', 'postmaster and abuse reach the administrators'],
    ['ada', 'A mailbox with this address already exists'],
    ['ada@nowhere.example', 'This domain is not in your workspace'],
  ] as const) {
    await name.fill(typed)
    await add.click()
    await expect(aliases.getByText(refusal)).toBeVisible()
    await expect(name).toBeFocused()
    await expect(name).toHaveValue(typed)
  }
  await name.fill('Countess')
  await aliases.getByLabel('Domain').click()
  await page.getByRole('option', { name: other.name }).click()
  await add.click()
  await expectToast(page, 'Alias added', countess)
  await expect(aliases.getByRole('listitem')).toHaveText([countess])
  await expect(name).toHaveValue('')
  await expect(name).toBeFocused()
  await name.fill(countess)
  await name.press('Enter')
  await expect(aliases.getByText(`This address is an alias of ${ada.email}`)).toBeVisible()

  expect(await receive(setting, countess, 'To the Countess')).toMatch(/^250 /)
  await opened(page, `/dashboard/view-mail?mailbox=${ada.id}`)
  await page.getByRole('link', { name: /To the Countess/ }).click()
  await page.getByRole('button', { name: 'Reply', exact: true }).click()
  const reply = page.getByRole('dialog', { name: 'Reply' })
  await expect(reply.getByLabel('From')).toHaveText(countess)
  await reply.getByRole('textbox', { name: 'Message' }).fill('From the Countess.')
  await reply.getByRole('button', { name: 'Send' }).click()
  await expectToast(page, 'Message sent')
  const { email, message: sent } = await setting.product.mailTo(grace)
  expect(email.from).toEqual({ name: `${ada.firstName} ${ada.lastName}`, address: countess })
  expect(sent.from).toBe(countess)

  // What is new is from the mailbox itself, until another address is chosen; a draft keeps it.
  await page.getByRole('button', { name: 'Compose' }).click()
  const message = page.getByRole('dialog', { name: 'New message' })
  await expect(message.getByLabel('From')).toHaveText(ada.email)
  await message.getByLabel('From').click()
  await page.getByRole('option', { name: countess }).click()
  await message.getByLabel('Subject').fill('Half a thought')
  await message.getByRole('button', { name: 'Save draft' }).click()
  await expectToast(page, 'Draft saved')
  await page.getByRole('link', { name: /^Drafts/ }).click()
  await page.getByRole('link', { name: /Half a thought/ }).click()
  const draft = page.getByRole('dialog', { name: 'Draft' })
  await expect(draft.getByLabel('From')).toHaveText(countess)
  await draft.getByRole('button', { name: 'Close' }).click()

  await opened(page, `/dashboard/mail-box-settings?mailbox=${ada.id}`)
  await aliases.getByRole('button', { name: `Remove ${countess}` }).click()
  const question = page.getByRole('alertdialog', { name: `Remove ${countess}?` })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(aliases.getByRole('listitem')).toHaveText([countess])
  await aliases.getByRole('button', { name: `Remove ${countess}` }).click()
  await question.getByRole('button', { name: 'Remove alias' }).click()
  await expectToast(page, 'Alias removed', countess)
  await expect(aliases).toContainText('No aliases yet')
  expect(await receive(setting, countess, 'Too late')).toMatch(/^550 /)
})

test('by keyboard, a mailbox becomes the catch-all of a domain, and no longer is', async ({
  setting,
  person,
}) => {
  const { page, workspace, call } = person
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const nobody = `nobody@${domain.name}`
  await opened(page, `/dashboard/domains/${domain.id}`)
  const dialog = page.getByRole('dialog', { name: 'Catch-all' })
  const button = page.getByRole('button', { name: 'Catch-all', exact: true })
  await expect(button).toBeVisible()
  await press(page, 'button', 'Catch-all', { within: 40 })
  await expect(dialog).toContainText('This workspace has no mailbox yet.')
  await page.keyboard.press('Escape')
  await expectAt(page, 'button', 'Catch-all')

  await aReadMailbox(setting, person, { domain, localPart: 'ada' })
  const rest = await aReadMailbox(setting, person, { domain, localPart: 'rest', firstName: 'Rest' })
  expect(await receive(setting, nobody, 'Too early')).toMatch(/^550 /)
  await opened(page)
  await expect(button).toBeVisible()
  await press(page, 'button', 'Catch-all', { within: 40 })
  await expect(dialog.getByLabel('Mailbox')).toBeVisible()
  await tabTo(page, 'combobox', 'Mailbox')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox', { name: /^Search/ })).toBeFocused()
  await page.keyboard.type('rest')
  await expect(page.getByRole('option')).toHaveText([
    `${rest.email} (${rest.firstName} ${rest.lastName})`,
  ])
  await page.keyboard.press('Enter')
  await press(page, 'button', 'Save')
  await expectToast(page, 'Catch-all set', rest.email)
  await expectAt(page, 'button', 'Catch-all')
  expect(await receive(setting, nobody, 'For nobody')).toMatch(/^250 /)
  const inbox = await call('GET', `/mailboxes/${rest.id}/messages`)
  expect(inbox.body.items).toMatchObject([{ subject: 'For nobody' }])

  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Mailbox')).toContainText(rest.email)
  await press(page, 'button', 'Remove catch-all')
  await expectToast(page, 'Catch-all removed')
  await expectAt(page, 'button', 'Catch-all')
  expect(await receive(setting, nobody, 'Too late')).toMatch(/^550 /)
})
