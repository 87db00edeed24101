/** I emptied Trash too soon, and have my mail back. */
import { aDomain, aMailbox, letRead } from '#test-world/builders.ts'
import { ELSEWHERE } from '#test-world/product.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { expect, expectToast, opened, test } from './specification/setting.ts'

test('what I deleted for good comes back, as I choose, also when reading the list fails first', async ({
  setting,
  person: { page, user, workspace },
}) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const mailbox = await aMailbox(setting, { domain })
  await letRead(setting, mailbox, user.id)
  for (const subject of ['The contract', 'An offer', 'Another offer']) {
    const from = `grace@${ELSEWHERE}`
    const raw = `From: Grace <${from}>\r\nTo: ${mailbox.email}\r\nSubject: ${subject}\r\n\r\nText\r\n`
    const sent = { from, to: mailbox.email, raw }
    expect(await sendMail(setting.product.smtpPort, sent)).toMatch(/^250 /)
  }
  const view = `/dashboard/view-mail?mailbox=${mailbox.id}`
  await opened(page, view)
  const inbox = page.getByRole('list', { name: 'Inbox' })
  await expect(inbox.getByRole('link')).toHaveCount(3)
  await page.getByRole('checkbox', { name: 'Select all that are shown' }).click()
  await page.getByRole('button', { name: /^Delete/ }).click()
  await expectToast(page, '3 moved to Trash')
  await opened(page, `${view}&folder=trash`)
  await page.getByRole('button', { name: 'Empty Trash' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('They can be recovered in Trash for 30 days.')
  await question.getByRole('button', { name: 'Delete for good' }).click()
  await expect(page.getByText('Nothing in Trash')).toBeVisible()

  await page.route('**/deleted-messages?*', (route) => route.abort(), { times: 1 })
  await page.getByRole('button', { name: 'Recover deleted' }).click()
  const dialog = page.getByRole('dialog', { name: 'Recover deleted messages' })
  await expect(dialog.getByRole('list', { name: 'Deleted messages' })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Recover', exact: true })).toBeDisabled()
  await dialog.getByRole('checkbox', { name: /All 3/ }).click()
  await dialog.getByRole('checkbox', { name: /Another offer/ }).click()
  await dialog.getByRole('button', { name: 'Recover 2' }).click()
  await expectToast(page, '2 recovered')
  await opened(page, view)
  await expect(inbox.getByRole('link')).toHaveCount(2)
  await expect(inbox.getByRole('link', { name: /The contract/ })).toBeVisible()

  await opened(page, `${view}&folder=trash`)
  await page.getByRole('button', { name: 'Recover deleted' }).click()
  await expect(dialog.getByRole('checkbox', { name: /Another offer/ })).toBeVisible()
  await dialog.getByRole('checkbox', { name: /Another offer/ }).click()
  await dialog.getByRole('button', { name: 'Recover 1' }).click()
  await expectToast(page, 'Message recovered')
  await page.getByRole('button', { name: 'Recover deleted' }).click()
  await expect(dialog.getByText('Nothing to recover')).toBeVisible()
})

test('the mails of a folder that I deleted go back into it', async ({
  setting,
  person: { page, user, workspace, call },
}) => {
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const mailbox = await aMailbox(setting, { domain })
  await letRead(setting, mailbox, user.id)
  const raw = `From: Grace <grace@${ELSEWHERE}>\r\nTo: ${mailbox.email}\r\nSubject: The hotel\r\n\r\nText\r\n`
  const sent = { from: `grace@${ELSEWHERE}`, to: mailbox.email, raw }
  expect(await sendMail(setting.product.smtpPort, sent)).toMatch(/^250 /)
  const base = `/mailboxes/${mailbox.id}`
  const { _id } = (await call('POST', `${base}/folders`, { name: 'Rome' })).body
  const [letter] = (await call('GET', `${base}/messages?folder=inbox`)).body.items
  const moved = await call('PATCH', `${base}/messages/${letter._id}`, { folder: _id })
  expect(moved.status).toBe(200)
  expect((await call('DELETE', `${base}/folders/${_id}`)).status).toBe(200)
  await opened(page, `/dashboard/view-mail?mailbox=${mailbox.id}&folder=trash`)
  await page.getByRole('button', { name: 'Recover deleted' }).click()
  const dialog = page.getByRole('dialog', { name: 'Recover deleted messages' })
  const row = dialog.getByRole('checkbox', { name: /The hotel.*From the folder Rome/ })
  await row.focus()
  await page.keyboard.press('Space')
  await dialog.getByRole('button', { name: 'Recover 1' }).click()
  await expectToast(page, 'Message recovered')
  await page.getByRole('link', { name: /^Rome/ }).click()
  await expect(
    page.getByRole('list', { name: 'Rome' }).getByRole('link', { name: /The hotel/ }),
  ).toBeVisible()
})
