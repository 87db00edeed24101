/** I put away all that a search finds, make a folder on the way, and take back one change after the other. */
import type { Page } from '@playwright/test'
import { aDomain, aMailbox, letRead } from '#test-world/builders.ts'
import { ELSEWHERE } from '#test-world/product.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import {
  expect,
  expectToast,
  opened,
  type Person,
  type Setting,
  test,
} from './specification/setting.ts'

const anInbox = async (
  setting: Setting,
  { page, user, workspace }: Person,
  subjects: readonly string[],
): Promise<void> => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const mailbox = await aMailbox(setting, { domain })
  await letRead(setting, mailbox, user.id)
  const from = `charles@${ELSEWHERE}`
  for (const subject of subjects) {
    const raw = `From: Charles <${from}>\r\nTo: ${mailbox.email}\r\nSubject: ${subject}\r\n\r\nHello.\r\n`
    expect(await sendMail(setting.product.smtpPort, { from, to: mailbox.email, raw })).toMatch(
      /^250 /,
    )
  }
  await opened(page, `/dashboard/view-mail?mailbox=${mailbox.id}`)
}

const rows = (page: Page, list = /^Inbox$/) =>
  page.getByRole('list', { name: list }).getByRole('link')
const folder = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Folders' }).getByRole('link', { name })

test('all that a search finds is selected by one more press, also what is not shown yet', async ({
  setting,
  person,
}) => {
  const { page } = person
  const bills = Array.from({ length: 53 }, (_, n) => `Bill ${n}`)
  await anInbox(setting, person, [...bills, 'The mill'])
  await page.getByRole('searchbox', { name: 'Search mail' }).fill('bill')
  const all = page.getByRole('checkbox', { name: 'Select all that are shown' })
  await expect(page.getByRole('list', { name: 'all mail' }).getByRole('link').first()).toBeVisible()
  await all.click()
  const line = page.getByText('50 conversations are selected.')
  await expect(line).toBeVisible()
  await page.getByRole('button', { name: 'Select everything that this search finds' }).click()
  await expect(page.getByText('Everything that this search finds is selected.')).toBeVisible()
  const tools = page.getByRole('toolbar', { name: 'Selected' })
  await expect(tools.getByRole('status')).toHaveText('All selected')
  await tools.getByRole('button', { name: 'Archive' }).click()
  await expectToast(page, '53 archived')
  await folder(page, 'Inbox').click()
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page)).toContainText('The mill')
})

test('a folder made on the way keeps the selection, and undo goes back change by change', async ({
  setting,
  person,
}) => {
  const { page } = person
  await anInbox(setting, person, ['Iron', 'Wood', 'Wool', 'Silk'])
  const selected = (count: number) => page.getByText(`${count} selected`, { exact: true })
  for (const subject of ['Iron', 'Wood'])
    await page.getByRole('checkbox', { name: `Select ${subject}` }).click()
  // Thinking better of it loses nothing.
  await page.keyboard.press('v')
  await page.getByRole('dialog', { name: 'Move to' }).waitFor()
  await page.keyboard.press('Escape')
  await expect(selected(2)).toBeVisible()
  await page.keyboard.press('v')
  await page.getByRole('button', { name: 'New folder' }).last().click()
  const form = page.getByRole('dialog', { name: 'New folder' })
  await form.getByLabel('Name').fill('Bills')
  await page.keyboard.press('Enter')
  await expectToast(page, '2 moved to Bills')
  await expect(rows(page)).toHaveCount(2)
  await expect(page).not.toHaveURL(/folder=/)
  await folder(page, 'Bills').click()
  await expect(rows(page, /^Bills$/)).toHaveCount(2)

  await folder(page, 'Inbox').click()
  await expect(rows(page)).toHaveCount(2)
  await page.keyboard.press('j')
  for (const left of [1, 0]) {
    await expect(rows(page).first()).toBeFocused()
    await page.keyboard.press('#')
    await expect(rows(page)).toHaveCount(left)
  }
  // The deletions, then the move.
  for (const back of [1, 2, 4]) {
    await page.keyboard.press('z')
    await expect(rows(page)).toHaveCount(back)
  }
  await page.keyboard.press('z')
  await expectToast(page, 'Nothing to undo')
  await expect(rows(page)).toHaveCount(4)
})
