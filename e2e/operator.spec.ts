/** Somebody operates the installation for others: the first account by the link of the terminal, and a customer who sends too much. */
import type { Page } from '@playwright/test'
import { makeOperatorLink } from '#server/features/operating/first-operator.ts'
import { aDomain, aMailbox, letRead } from '#test-world/builders.ts'
import { anSmtpClient } from '#test-world/smtp/smtp-client.ts'
import { PASSWORD } from '#test-world/trials/account.ts'
import { expect, expectToast, opened, type Setting, test } from './specification/setting.ts'

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

/** The page of a link that the terminal shows. */
const aLink = async ({ db, clock, product }: Setting): Promise<string> => {
  const config = { publicUrl: product.url, operators: [] }
  const app = { db, clock, config } as unknown as Parameters<typeof makeOperatorLink>[0]
  return makeOperatorLink(app, 'terminal')
}

test('the link of the terminal makes an account that operates, once', async ({
  visitor,
  setting,
}) => {
  const link = await aLink(setting)
  await visitor.goto(link)
  await expect(visitor.getByRole('heading', { name: 'Make your account' })).toBeVisible()
  await visitor.getByLabel('First name').fill('Olga')
  await visitor.getByLabel('Last name').fill('Orlova')
  await visitor.getByLabel('Email').fill('olga@elsewhere.example')
  await visitor.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await visitor.getByLabel('Confirm Password').fill('something else')
  await button(visitor, 'Make the account').click()
  await expect(visitor.getByText("Passwords don't match.")).toBeVisible()
  await visitor.getByLabel('Confirm Password').fill(PASSWORD)
  await button(visitor, 'Make the account').click()
  await expect(visitor).toHaveURL('/operator?tab=settings&step=first')
  await expect(visitor.getByLabel('Who may sign up')).toBeVisible()
  await expect(visitor.getByText('Price of a mailbox and month')).toBeVisible()
  await visitor.getByRole('link', { name: 'Check the installation' }).click()
  await expect(visitor).toHaveURL('/operator')
  await expect(visitor.getByRole('list', { name: 'To mend' })).toBeVisible()
  await visitor.getByRole('tab', { name: 'Workspaces' }).click()
  await expect(row(visitor, 'Olga’s workspace')).toBeVisible()
  await expect(visitor.getByRole('link', { name: 'Operator' })).toBeVisible()
  await visitor.context().clearCookies()
  await visitor.goto(link)
  await expect(visitor.getByRole('alert')).toContainText('This link was used')
})

test('what the installation lacks is read, mended by the record that stands there, and checked again', async ({
  operator: { page },
  setting,
}) => {
  const { dns } = setting.product
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await opened(page, '/operator')
  const faults = page.getByRole('list', { name: 'To mend' }).getByRole('listitem')
  const reverse = faults.filter({ hasText: 'Reverse name' })
  await expect(reverse).toContainText('192.0.2.25 has no reverse name')
  await expect(reverse).toContainText('sets its reverse name to mail.mailstead.example')
  const copy = async (label: RegExp, text: string) => {
    await reverse.getByRole('button', { name: label }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(text)
    return text
  }
  const name = await copy(/^Copy name/, '25.2.0.192.in-addr.arpa')
  dns.set(name, 'PTR', [await copy(/^Copy value/, 'mail.mailstead.example')])
  dns.set('mail.mailstead.example', 'A', ['127.0.0.1', '192.0.2.25'])
  await button(page, 'Check again').click()
  const good = page.getByRole('list', { name: 'In order' }).getByRole('listitem')
  await expect(good.filter({ hasText: 'Reverse name' })).toContainText('leads back to it')
  await expect(reverse).toHaveCount(0)
  dns.set('mail.mailstead.example', 'A', ['127.0.0.1'])
  dns.remove(name)
})

test('a customer who sends too much is found, suspended, told and let go again', async ({
  operator: { page },
  customer,
  setting,
}) => {
  const name = `Loud ${crypto.randomUUID().slice(0, 8)}`
  await setting.db
    .updateTable('workspaces')
    .set({ name })
    .where('id', '=', customer.workspace.id)
    .execute()
  await opened(page, '/operator?tab=workspaces')
  await page.getByLabel('Search workspaces').fill(name)
  await page.getByRole('link', { name }).click()
  await expect(page.getByRole('heading', { name })).toBeVisible()
  await expect(row(page, customer.email)).toContainText('Admin')
  await button(page, 'Suspend').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Suspend' }).click()
  await expect(dialog.getByText('Please give a reason')).toBeVisible()
  await dialog.getByLabel('Reason').fill('It sends what nobody asked for')
  await dialog.getByLabel('Reason').press('Enter')
  await expectToast(page, `${name} sends nothing any more`)
  await expect(page.getByRole('note')).toContainText('It sends what nobody asked for')
  await expect(row(page, 'workspace suspend')).toContainText('It sends what nobody asked for')
  await customer.page.goto('/dashboard/domains')
  await expect(customer.page.getByText('has suspended sending from this workspace')).toContainText(
    'It sends what nobody asked for',
  )
  await button(page, 'Resume').click()
  await expectToast(page, `${name} sends again`)
  await customer.page.reload()
  await expect(customer.page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(customer.page.getByText('has suspended sending')).toHaveCount(0)
})

test('a customer who leaves is deleted by the typed name, with a receipt, and then erased at once', async ({
  operator: { page },
  customer,
}) => {
  const { name, id } = customer.workspace
  await opened(page, `/operator/workspaces/${id}`)
  await button(page, 'Delete').click()
  const question = page.getByRole('alertdialog', { name: `Delete ${name}?` })
  await expect(question).toContainText('until then it can be taken back')
  const remove = question.getByRole('button', { name: 'Delete workspace' })
  await expect(remove).toBeDisabled()
  await question.getByLabel(`Type ${name} to confirm`).fill(name)
  await remove.click()
  const receipt = page.getByRole('dialog', { name: `${name} was deleted` })
  await expect(receipt).toContainText('an Admin can take it back in Settings')
  await expect(receipt).toContainText('Its Admin gets it by mail.')
  await receipt.getByRole('button', { name: 'Close' }).last().click()
  await button(page, 'Delete').click()
  await expect(question).toContainText('It was deleted before')
  await question.getByLabel(`Type ${name} to confirm`).fill(name)
  await question.getByRole('button', { name: 'Erase now' }).click()
  await expect(receipt).toContainText('erased at once')
  await receipt.getByRole('button', { name: 'Close' }).last().click()
  const log = page.getByRole('table', { name: 'What operators did' })
  await expect(log.getByRole('row').filter({ hasText: 'workspace delete' })).toHaveCount(2)
})

test('what waits for a domain is held back, released and dropped', async ({
  operator,
  page,
  setting,
}) => {
  const domain = `waits-${crypto.randomUUID().slice(0, 8)}.example`
  const id = crypto.randomUUID()
  const { db, clock } = setting
  const createdAt = clock.now()
  const nextAttemptAt = new Date(createdAt.getTime() + 86_400_000)
  const workspaceId = operator.workspace.id
  await db
    .insertInto('outboxMessages')
    .values({
      ...{ id, workspaceId, mailboxId: null, mailFrom: operator.email, blob: 'none' },
      ...{ sizeBytes: 1, isHeld: false, createdAt },
    })
    .execute()
  await db
    .insertInto('deliveries')
    .values({
      ...{ id: crypto.randomUUID(), outboxMessageId: id, workspaceId, recipientDomain: domain },
      ...{ recipient: `bob@${domain}`, status: 'queued', nextAttemptAt, claimedBy: null },
      ...{ createdAt, finishedAt: null, lastReply: '451 4.7.1 Come back later' },
    })
    .execute()
  await opened(page, '/operator?tab=queue')
  const waiting = row(page, domain)
  await expect(waiting).toContainText('Come back later')
  const act = async (item: string) => {
    await button(page, `Actions for ${domain}`).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await act('Hold all back')
  await expectToast(page, `1 delivery to ${domain} held back`)
  await expect(waiting).toContainText('1 held')
  await act('Drop all')
  await button(page, 'Drop').click()
  await expectToast(page, `1 delivery to ${domain} dropped`)
  await expect(waiting).toHaveCount(0)
})

test('a network that attacks is blocked until a day, and let in again', async ({
  operator: { page },
  setting,
}) => {
  await opened(page, '/operator?tab=lists')
  await button(page, 'Add').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Sender or network').fill('0.0.0.0/0')
  await dialog.getByLabel('Sender or network').press('Enter')
  await expect(dialog.getByText('A network of /0 is too wide')).toBeVisible()
  await dialog.getByLabel('Sender or network').fill('127.0.0.76/30')
  await dialog.getByLabel('Note').fill('It guesses addresses')
  await dialog.getByLabel('Last day').fill('2099-12-24')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await expectToast(page, '127.0.0.76/30 is blocked')
  await expect(row(page, '127.0.0.76/30')).toContainText('It guesses addresses')
  const greeting = async () => {
    const client = await anSmtpClient(setting.product.smtpPort, '127.0.0.1', '127.0.0.77')
    const reply = await client.reply()
    client.close()
    return reply
  }
  await expect.poll(greeting).toMatch(/^554 .* blocks mail from 127\.0\.0\.76\/30/)
  await button(page, 'Remove 127.0.0.76/30').click()
  await button(page, 'Remove').click()
  await expectToast(page, '127.0.0.76/30 is not listed any more')
  await expect.poll(greeting).toMatch(/^220 /)
  await page.getByRole('tab', { name: 'Log' }).click()
  await expect(row(page, 'blocklist remove')).toContainText('It guesses addresses')
})

test('a mailbox that people complain about is stopped, told why, and let go again', async ({
  operator: { page },
  customer,
  setting,
}) => {
  const workspaceId = customer.workspace.id
  const domain = await aDomain(setting, { workspaceId, active: true })
  const mailbox = await aMailbox(setting, { domain })
  await letRead(setting, mailbox, customer.user.id)
  await setting.db
    .insertInto('complaints')
    .values(
      ['one', 'two'].map((about) => ({
        ...{ id: crypto.randomUUID(), workspaceId, mailboxId: mailbox.id, at: setting.clock.now() },
        ...{ kind: 'abuse', reporter: 'provider.example', about: Buffer.from(about) },
      })),
    )
    .execute()
  await opened(page, '/operator?tab=senders')
  await page.getByLabel('Search senders').fill(mailbox.email)
  await expect(row(page, mailbox.email)).toContainText('Complaints from provider.example')
  await expect(row(page, mailbox.email).getByRole('cell').nth(3)).toHaveText('2')
  await button(page, `Actions for ${mailbox.email}`).press('Enter')
  await page.getByRole('menuitem', { name: 'Stop sending' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('Two people complained')
  await dialog.getByRole('radio', { name: 'Drop what waits' }).click()
  await dialog.getByLabel('Reason').press('Enter')
  await expectToast(page, `${mailbox.email} sends nothing any more`)
  await expect(row(page, mailbox.email)).toContainText('Two people complained')
  await opened(customer.page, `/dashboard/mail-box-settings?mailbox=${mailbox.id}`)
  const alert = customer.page.getByRole('alert').filter({ hasText: 'The operator' })
  await expect(alert).toContainText('Only the operator can resume it. The reason: Two people')
  await expect(alert.getByRole('button')).toHaveCount(0)
  await button(page, `Actions for ${mailbox.email}`).click()
  await page.getByRole('menuitem', { name: 'Let it send again' }).click()
  await expectToast(page, `${mailbox.email} sends again`)
  await expect(alert).toHaveCount(0)
})

test('an announcement comes to open pages, and each reader dismisses it for good', async ({
  operator: { page },
  customer: reader,
}) => {
  await opened(reader.page, '/dashboard/domains')
  await opened(page, '/operator?tab=announcements')
  await button(page, 'Announce').click()
  const dialog = page.getByRole('dialog')
  const text = `We move tonight ${crypto.randomUUID().slice(0, 8)}`
  await dialog.getByLabel('Announcement').fill(text)
  await dialog.getByLabel('Link').fill('http://status.example')
  await dialog.getByLabel('Link').press('Enter')
  await expect(dialog.getByText('Please enter a link that begins with https://')).toBeVisible()
  await dialog.getByLabel('Link').fill('https://status.example/move')
  await dialog.getByLabel('Link').press('Enter')
  await expectToast(page, 'Announcement shown')
  const banner = reader.page.getByRole('status').filter({ hasText: text })
  await expect(banner.getByRole('link', { name: 'status.example' })).toHaveAttribute(
    'href',
    'https://status.example/move',
  )
  await banner.getByRole('button', { name: 'Dismiss this announcement' }).press('Enter')
  await expect(banner).toHaveCount(0)
  await reader.page.reload()
  await expect(reader.page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(banner).toHaveCount(0)
  await opened(page, '/operator?tab=announcements')
  await expect(row(page, text)).toContainText('dismissed by 1')
  await expect(page.getByRole('status').filter({ hasText: text })).toBeVisible()
  await row(page, text).getByRole('button', { name: 'End' }).click()
  await expectToast(page, 'Announcement ended')
  await expect(page.getByRole('status').filter({ hasText: text })).toHaveCount(0)
})

test('who does not operate is told so, and sees nothing of it', async ({ person: _, page }) => {
  await opened(page, '/operator')
  await expect(page.getByText('Only an operator can see this')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Operator' })).toHaveCount(0)
})
