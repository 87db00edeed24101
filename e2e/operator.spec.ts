/** Somebody operates the installation for others: the first account by the link of the terminal, and a customer who sends too much. */
import type { Page } from '@playwright/test'
import { makeOperatorLink } from '#server/features/operating/first-operator.ts'
import { PASSWORD } from '#test-world/trials/account.ts'
import { makeOperator } from './screens/operator/fill-operating.ts'
import {
  aPerson,
  expect,
  expectToast,
  opened,
  type Setting,
  test,
} from './specification/setting.ts'

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
  person,
  page,
  setting,
}) => {
  await makeOperator(setting, person)
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
  person,
  page,
  setting,
  browser,
}) => {
  await makeOperator(setting, person)
  const context = await browser.newContext({ baseURL: setting.product.url })
  const customer = await aPerson(setting, context, await context.newPage())
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
  await context.close()
})

test('a customer who leaves is deleted by the typed name, with a receipt, and then erased at once', async ({
  person,
  page,
  setting,
  browser,
}) => {
  await makeOperator(setting, person)
  const context = await browser.newContext({ baseURL: setting.product.url })
  const customer = await aPerson(setting, context, await context.newPage())
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
  await context.close()
})

test('what waits for a domain is held back, released and dropped', async ({
  person,
  page,
  setting,
}) => {
  await makeOperator(setting, person)
  const domain = `waits-${crypto.randomUUID().slice(0, 8)}.example`
  const id = crypto.randomUUID()
  const { db, clock } = setting
  const createdAt = clock.now()
  const nextAttemptAt = new Date(createdAt.getTime() + 86_400_000)
  const workspaceId = person.workspace.id
  await db
    .insertInto('outboxMessages')
    .values({
      ...{ id, workspaceId, mailboxId: null, mailFrom: person.email, blob: 'none' },
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

test('who does not operate is told so, and sees nothing of it', async ({ person: _, page }) => {
  await opened(page, '/operator')
  await expect(page.getByText('Only an operator can see this')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Operator' })).toHaveCount(0)
})
