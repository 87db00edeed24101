/** What ends takes its name to type, and can be taken back where one looks for it. */
import { aMailbox, letRead } from '#test-world/builders.ts'
import { aHolder } from '#test-world/people/holders.ts'
import { PASSWORD } from '#test-world/trials/account.ts'
import { aDomainWithRecords } from './specification/domain-rows.ts'
import { expect, expectToast, opened, test } from './specification/setting.ts'

test('a domain takes its name to type, waits where it is looked for, and comes back as it was', async ({
  setting,
  person: { page, workspace, call },
}) => {
  const domain = await aDomainWithRecords(setting, {
    ...{ name: 'taken-back.example', workspaceId: workspace.id, active: true },
  })
  const mailbox = await aMailbox(setting, { domain })
  const path = `/dashboard/domains/${domain.id}`
  await opened(page, path)
  await page.getByRole('button', { name: 'Delete domain' }).click()
  const question = page.getByRole('alertdialog', { name: 'Delete taken-back.example?' })
  const remove = question.getByRole('button', { name: 'Delete domain' })
  await expect(question).toContainText('until then it can be taken back')
  await expect(question.getByRole('listitem')).toHaveText(['1 mailbox'])
  await expect(remove).toBeDisabled()
  const name = question.getByLabel('Type taken-back.example to confirm')
  await name.fill('taken-back')
  await expect(remove).toBeDisabled()
  await name.fill('Taken-Back.example')
  await remove.click()
  await expectToast(page, 'Domain deleted', 'can be taken back until it ends')
  await expect(page).toHaveURL('/dashboard/domains')
  const deleted = page.getByRole('region', { name: 'Deleted' })
  await expect(deleted.getByRole('listitem')).toContainText('with 1 mailbox')
  expect((await call('GET', '/domains')).body).toEqual([])
  await opened(page, '/dashboard')
  await expect(deleted.getByRole('listitem')).toContainText('taken-back.example')
  await opened(page, path)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('taken-back.example')
  await expect(page.getByText('This domain was deleted')).toBeVisible()
  await page.getByRole('button', { name: 'Take it back: taken-back.example' }).click()
  await expectToast(page, 'Taken back', 'taken-back.example is as it was')
  await expect(page.getByRole('button', { name: 'Delete domain' })).toBeVisible()
  const { items } = (await call('GET', '/mailboxes')).body
  expect(items.map(({ email }: { email: string }) => email)).toEqual([mailbox.email])
})

test('a mailbox that somebody uses takes its address to type; its reader sees when it ends, and an Admin ends it now', async ({
  setting,
  person: { page, workspace, user, call },
}) => {
  const domain = await aDomainWithRecords(setting, {
    ...{ name: 'in-use.example', workspaceId: workspace.id, active: true },
  })
  const mailbox = await aMailbox(setting, { domain, localPart: 'ada' })
  await letRead(setting, mailbox, user.id, 'given')
  await aHolder(setting, mailbox)
  const { email } = mailbox
  await opened(page, '/dashboard/mailboxes')
  await page.getByRole('button', { name: `Actions for ${email}` }).click()
  await page.getByRole('menuitem', { name: 'Delete Record' }).click()
  const question = page.getByRole('alertdialog', { name: `Delete ${email}?` })
  await expect(question).toContainText('the access of 2 people')
  await question.getByLabel(`Type ${email} to confirm`).fill(email)
  await question.getByRole('button', { name: 'Delete mailbox' }).click()
  await expectToast(page, 'Mailbox deleted', email)
  await expect(page.getByRole('link', { name: email })).toHaveCount(0)
  await opened(page, `/dashboard/view-mail?mailbox=${mailbox.id}`)
  await expect(page.getByRole('note')).toContainText('This mailbox was deleted and ends on')
  await opened(page, '/dashboard/mailboxes')
  await page.getByRole('button', { name: `More about ${email}` }).click()
  await page.getByRole('menuitem', { name: 'End it now' }).click()
  const ending = page.getByRole('alertdialog', { name: `End ${email} now?` })
  await expect(ending.getByRole('button', { name: 'End it now' })).toBeDisabled()
  await ending.getByLabel(`Type ${email} to confirm`).fill(email)
  await ending.getByRole('button', { name: 'End it now' }).click()
  await expectToast(page, 'Ended', email)
  await expect(page.getByRole('region', { name: 'Deleted' })).toHaveCount(0)
  expect((await call('GET', '/deleted')).body.items).toEqual([])
})

test('a workspace takes its name and a password, says on every page when it ends, and is taken back', async ({
  person: { page, workspace, call },
}) => {
  await opened(page, '/dashboard/settings')
  await page.getByRole('button', { name: 'Delete workspace' }).click()
  const { name } = workspace
  const question = page.getByRole('alertdialog', { name: `Delete ${name}?` })
  await question.getByLabel(`Type ${name} to confirm`).fill(name)
  const remove = question.getByRole('button', { name: 'Delete workspace' })
  await expect(remove).toBeDisabled()
  await question.getByLabel('Your password').fill('Not-it-at-all-1!')
  await remove.click()
  await expect(question).toContainText('The password is not right')
  await question.getByLabel('Your password').fill(PASSWORD)
  await remove.click()
  await expectToast(page, 'Workspace deleted', 'It can be taken back until then')
  await opened(page, '/dashboard/domains')
  const banner = page.getByRole('region', { name: 'Deleted workspace' })
  await expect(banner).toContainText(`${name} was deleted and ends on`)
  await banner.getByRole('button', { name: `Take it back: ${name}` }).click()
  await expectToast(page, 'Taken back', name)
  await expect(banner).toHaveCount(0)
  expect((await call('GET', '/workspaces')).body).toMatchObject([{ endsAt: null }])
})
