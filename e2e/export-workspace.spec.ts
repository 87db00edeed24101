/** I leave with everything: one file, asked for with my password, and fetched when it is ready. */
import { readFile } from 'node:fs/promises'
import { aDomain, aMailbox, letRead } from '#test-world/builders.ts'
import { readZip } from '#test-world/read-zip.ts'
import { PASSWORD } from '#test-world/trials/account.ts'
import { expect, expectToast, opened, test } from './specification/setting.ts'

test('an Admin exports everything, sees how far it is, downloads it and deletes it', async ({
  setting,
  person: { page, user, workspace, call },
}) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const mailbox = await aMailbox(setting, { domain, localPart: 'ada' })
  await letRead(setting, mailbox, user.id)
  await opened(page, '/dashboard/settings')
  const part = page.getByRole('region', { name: 'Export everything' })
  await part.getByRole('button', { name: 'Export everything' }).click()
  const question = page.getByRole('alertdialog', { name: 'Export everything?' })
  await expect(question).toContainText('the mail of every mailbox')
  const confirm = question.getByRole('button', { name: 'Export everything' })
  await expect(confirm).toBeDisabled()
  await question.getByLabel('Your password').fill('Not-it-at-all-1!')
  await page.keyboard.press('Tab')
  await confirm.click()
  await expect(question).toContainText('The password is not right')
  await question.getByLabel('Your password').fill(PASSWORD)
  await confirm.click()
  await expectToast(page, 'The export is being made', 'You get a mail when it is ready')
  await expect(part).toContainText('with 0 messages, asked for by')
  const saving = page.waitForEvent('download')
  await part.getByRole('button', { name: 'Download' }).click()
  const download = await saving
  expect(download.suggestedFilename()).toMatch(/\d{4}-\d\d-\d\d\.zip$/)
  const files = readZip(await readFile(await download.path()))
  expect(JSON.parse(String(files.get('lists/mailboxes.json')))).toMatchObject([
    { email: mailbox.email },
  ])
  await opened(page, '/dashboard/mailbox-access')
  await expect(page.getByText('made one file of everything in the workspace')).toBeVisible()
  await opened(page, '/dashboard/settings')
  await part.getByRole('button', { name: 'Delete' }).click()
  await expect(part.getByRole('button', { name: 'Download' })).toHaveCount(0)
  expect((await call('GET', '/workspace-exports')).body).toEqual([])
})
