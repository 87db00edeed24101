/** I set my phone up: the page has my address, makes the password, and gives the phone its profile. */
import type { Page } from '@playwright/test'
import { aDomain, aMailbox, letRead, type Mailbox } from '#test-world/builders.ts'
import { expectAt, press } from './keyboard/keys.ts'
import {
  answering,
  expect,
  opened,
  type Person,
  refusal,
  type Setting,
  test,
} from './specification/setting.ts'

const aReadMailbox = async (
  setting: Setting,
  { user, workspace }: Person,
  localPart = 'ada',
): Promise<Mailbox> => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const mailbox = await aMailbox(setting, { domain, localPart })
  await letRead(setting, mailbox, user.id)
  return mailbox
}
const steps = (page: Page, program: string) =>
  page.getByRole('list', { name: `Steps for ${program}` })
const at = ({ id }: Mailbox, program: string) =>
  `/dashboard/set-up-mail?mailbox=${id}&program=${program}`

test('from the settings of the mailbox to a phone that has all it needs', async ({
  setting,
  person,
}) => {
  const { page } = person
  const mailbox = await aReadMailbox(setting, person)
  await opened(page, `/dashboard/mail-box-settings?mailbox=${mailbox.id}#app-passwords`)
  await page.getByRole('link', { name: 'How to set up a mail program' }).click()
  await expect(page.getByRole('heading', { name: 'Set up your mail program' })).toBeVisible()
  await page.getByRole('radio', { name: 'iPhone and iPad' }).click()
  const list = steps(page, 'iPhone and iPad')
  await expect(list.getByRole('img', { name: 'QR code of the profile' })).toBeVisible()
  const link = list.getByRole('link', { name: 'Download the profile' })
  const profile = await page.request.get(String(await link.getAttribute('href')))
  expect(profile.headers()['content-type']).toBe('application/x-apple-aspen-config')
  expect(await profile.text()).toContain(`<string>${mailbox.email}</string>`)

  await list.getByRole('button', { name: 'Make an app password' }).click()
  const field = list.getByRole('textbox', { name: 'App password' })
  await expect(field).toHaveValue(/^[a-z2-9]{4}(?:-[a-z2-9]{4}){6}$/)
  const password = await field.inputValue()
  // It is for all programs of this visit, and gone after it.
  await page.getByRole('radio', { name: 'Gmail app for Android' }).click()
  await expect(steps(page, 'Gmail app for Android')).toContainText(mailbox.email)
  await expect(page.getByRole('textbox', { name: 'App password' })).toHaveValue(password)
  await opened(page)
  await expect(page.getByRole('radio', { name: 'Gmail app for Android' })).toBeChecked()
  await expect(page.getByRole('button', { name: 'Make an app password' })).toBeVisible()
  const made = await setting.db
    .selectFrom('appPasswords')
    .select(['name', 'scopes'])
    .where('mailboxId', '=', mailbox.id)
    .execute()
  expect(made).toEqual([{ name: 'iPhone or iPad', scopes: ['imap', 'smtp'] }])
})

test('with several mailboxes I choose which, and each has its own address and servers', async ({
  setting,
  person,
}) => {
  const { page } = person
  const first = await aReadMailbox(setting, person)
  const second = await aReadMailbox(setting, person, 'eve')
  await opened(page, at(first, 'other'))
  const settings = page.getByRole('region', { name: 'Sign-in' })
  await expect(settings).toContainText(first.email)
  await page.getByRole('button', { name: /Choose another mailbox/ }).click()
  await page.getByRole('button', { name: second.email }).click()
  await expect(settings).toContainText(second.email)
  await expect(page).toHaveURL(new RegExp(`mailbox=${second.id}&program=other$`))
  const { mailServer } = await (await page.request.get('/api/v1/installation')).json()
  await expect(page.getByRole('region', { name: 'Incoming mail (IMAP)' })).toContainText(
    mailServer.host,
  )
  // No name leads to a computer of one's own, and nobody signed its certificate.
  expect(mailServer.host).toBe('127.0.0.1')
  expect(mailServer.fingerprint).toMatch(/^(?:[\dA-F]{2}:){31}[\dA-F]{2}$/)
  await expect(page.getByText(mailServer.fingerprint)).toBeVisible()
  await expect(page.getByText('It says that the password is wrong')).toBeVisible()
})

test('by keyboard, and with a refusal that says where to go', async ({ setting, person }) => {
  const { page } = person
  const mailbox = await aReadMailbox(setting, person)
  const end = await answering(
    page,
    'POST',
    `/mailboxes/${mailbox.id}/app-passwords`,
    refusal('APP_PASSWORD_LIMIT'),
  )
  await opened(page, at(mailbox, 'thunderbird'))
  await page.getByRole('radio', { name: 'Thunderbird', exact: true }).focus()
  // The choice follows the focus while the key is down.
  await page.keyboard.down('ArrowRight')
  await expect(page.getByRole('radio', { name: 'Thunderbird or K-9 for Android' })).toBeChecked()
  await page.keyboard.up('ArrowRight')
  await press(page, 'button', 'Make an app password')
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('You have 50 app passwords')
  await expect(alert.getByRole('link', { name: 'See your app passwords' })).toBeVisible()
  await end()
  await expectAt(page, 'button', 'Make an app password')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'App password' })).toBeFocused()
})

test('on a phone the programs are a list', async ({ setting, person }) => {
  const { page } = person
  await page.setViewportSize({ width: 390, height: 844 })
  const mailbox = await aReadMailbox(setting, person)
  await opened(page, at(mailbox, 'iphone'))
  await page.getByRole('combobox', { name: 'Your program' }).click()
  await page.getByRole('option', { name: 'FairEmail' }).click()
  await expect(steps(page, 'FairEmail')).toContainText('Other provider')
})
