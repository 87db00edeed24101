/** My phone gets an app password for my mailbox; I see where it was used, and end it. */
import type { Page } from '@playwright/test'
import { aDomain, aMailbox, letRead, type Mailbox } from '#test-world/builders.ts'
import { expectAt, press, tabTo } from './keyboard/keys.ts'
import {
  answering,
  expect,
  expectToast,
  opened,
  type Person,
  refusal,
  type Setting,
  test,
} from './specification/setting.ts'

const aReadMailbox = async (setting: Setting, { user, workspace }: Person): Promise<Mailbox> => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const mailbox = await aMailbox(setting, { domain, localPart: 'ada' })
  await letRead(setting, mailbox, user.id)
  return mailbox
}
const list = (page: Page) => page.getByRole('region', { name: 'App passwords' })
const rows = (page: Page) => list(page).getByRole('listitem')
const atPasswords = ({ id }: Mailbox) => `/dashboard/mail-box-settings?mailbox=${id}#app-passwords`

/** As the door of a mail program writes it. */
const usedByPhone = async ({ db, clock }: Setting, mailbox: Mailbox, { user }: Person) => {
  const { id: appPasswordId } = await db
    .selectFrom('appPasswords')
    .select('id')
    .where('mailboxId', '=', mailbox.id)
    .executeTakeFirstOrThrow()
  const at = clock.now()
  const use = { workspaceId: mailbox.workspaceId, mailboxId: mailbox.id, userId: user.id }
  await db
    .insertInto('programUses')
    .values({
      ...{ ...use, appPasswordId, network: '192.0.2.0/24', ip: '192.0.2.17', scope: 'imap' },
      ...{ program: 'Phone Mail 7 on Phone OS', firstAt: at, lastAt: at, isUntold: false },
    })
    .execute()
}

test('a phone gets an app password, which is seen at work and ended', async ({
  setting,
  person,
}) => {
  const { page, context } = person
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const mailbox = await aReadMailbox(setting, person)
  await opened(page, atPasswords(mailbox))
  await expect(list(page)).toContainText('No app password yet')
  await page.getByRole('button', { name: 'New app password' }).click()
  const dialog = page.getByRole('dialog')
  const make = dialog.getByRole('button', { name: 'Make app password' })
  await make.click()
  await expect(dialog.getByText('Please enter a name')).toBeVisible()
  await dialog.getByRole('button', { name: 'Phone', exact: true }).click()
  await dialog.getByLabel('Last day (optional)').fill('2020-01-01')
  await make.click()
  await expect(dialog.getByText('This day is over')).toBeVisible()
  await dialog.getByLabel('Last day (optional)').fill('')
  await make.click()

  const field = dialog.getByRole('textbox', { name: 'App password' })
  await expect(field).toHaveValue(/^[a-z2-9]{4}(?:-[a-z2-9]{4}){6}$/)
  await expect(dialog.getByRole('img', { name: 'QR code of the app password' })).toBeVisible()
  const password = await field.inputValue()
  await dialog.getByRole('button', { name: 'Close' }).click()
  const leaving = page.getByRole('alertdialog', { name: 'Close without the password?' })
  await leaving.getByRole('button', { name: 'Cancel' }).click()
  await dialog.getByRole('button', { name: 'Copy app password' }).click()
  await expect(dialog.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(password)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()
  await expect(rows(page)).toHaveText([/Phone.*Reading and sending.*Never used/])
  await expect(page.getByText(password)).toHaveCount(0)

  await usedByPhone(setting, mailbox, person)
  await opened(page)
  await expect(rows(page)).toHaveText([/Phone Mail 7 on Phone OS, 192\.0\.2\.17/])
  const uses = page.getByRole('region', { name: 'Where mail programs signed in' })
  const more = list(page).getByRole('button', { name: 'Where mail programs signed in' })
  await more.click()
  await expect(uses.getByRole('listitem')).toHaveText([/Phone Mail 7.*192\.0\.2\.17.*with Phone/])
  await more.click()
  await rows(page).getByRole('button', { name: 'End Phone' }).click()
  const question = page.getByRole('alertdialog', { name: 'End Phone?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(rows(page)).toHaveCount(1)
  await rows(page).getByRole('button', { name: 'End Phone' }).click()
  await question.getByRole('button', { name: 'End app password' }).click()
  await expectToast(page, 'App password ended', 'Phone')
  await expect(list(page)).toContainText('No app password yet')
})

test('by keyboard, and with a refusal that stays in the dialog', async ({ setting, person }) => {
  const { page } = person
  const mailbox = await aReadMailbox(setting, person)
  const end = await answering(
    page,
    'POST',
    `/mailboxes/${mailbox.id}/app-passwords`,
    refusal('APP_PASSWORD_LIMIT'),
  )
  await opened(page, atPasswords(mailbox))
  await expect(list(page)).toContainText('No app password yet')
  const open = page.getByRole('button', { name: 'New app password' })
  await open.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('Printer')
  await tabTo(page, 'radio', 'Reading and sending')
  // The choice follows the focus while the key is down.
  await page.keyboard.down('ArrowUp')
  await expect(dialog.getByRole('radio', { name: 'Sending only' })).toBeChecked()
  await page.keyboard.up('ArrowUp')
  await press(page, 'textbox', 'Name', { back: true })
  await expect(dialog.getByRole('alert')).toContainText('You have 50 app passwords')
  await end()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('textbox', { name: 'App password' })).toBeVisible()
  await press(page, 'button', 'Done')
  await expectAt(page, 'button', 'New app password')
  await expect(rows(page)).toHaveText([/Printer.*Sending only/])
})
