/** My server is told what happens in my workspace; I see what it answered, send again, and change the secret. */
import { Webhook as Judge } from 'standardwebhooks'
import { type Arrived, aReceiver } from '#test-world/outgoing/webhook-receiver.ts'
import { aPerson, expect, expectToast, opened, test } from './specification/setting.ts'

const AT = '/dashboard/developers?tab=webhooks'
const judged = (secret: string, { body, headers }: Arrived) =>
  new Judge(secret).verify(body, headers as Record<string, string>)

test('a webhook is added, tested, sent again, given a new secret, switched off and deleted', async ({
  person,
}) => {
  const { page } = person
  const receiver = await aReceiver()
  receiver.answers((response) => void response.writeHead(503).end('not now'))
  await opened(page, AT)
  await expect(page.getByText('No webhook yet')).toBeVisible()
  await page.getByRole('button', { name: 'Add webhook' }).click()
  const dialog = page.getByRole('dialog')
  const add = dialog.getByRole('button', { name: 'Add webhook' })
  await add.click()
  await expect(dialog.getByText('Please choose at least one')).toBeVisible()
  await dialog.getByLabel('Address').fill('ftp://hooks.example')
  await expect(dialog.getByText('Please enter an address that begins with https://')).toBeVisible()
  await dialog.getByLabel('Address').fill(receiver.url)
  await dialog.getByRole('checkbox', { name: /A mail came in/ }).click()
  await add.click()
  const field = dialog.getByRole('textbox', { name: 'Secret' })
  await expect(field).toHaveValue(/^whsec_/)
  const secret = await field.inputValue()
  await dialog.getByRole('button', { name: 'Close' }).click()
  const leaving = page.getByRole('alertdialog', { name: 'Close without the secret?' })
  await leaving.getByRole('button', { name: 'Cancel' }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()

  await page.getByRole('link', { name: receiver.url }).click()
  await page.getByRole('button', { name: 'Send a test' }).click()
  const attempts = page.getByRole('list', { name: 'Attempts' }).getByRole('listitem')
  await expect(attempts.first()).toContainText('it answers 503. It is tried again')
  expect(judged(secret, receiver.seen[0] as Arrived)).toMatchObject({ type: 'test' })
  receiver.answers((response) => void response.end('thanks'))
  await attempts.first().getByRole('button', { name: 'Send again' }).click()
  await expect(attempts.first()).toContainText('Arrived, 200')
  await attempts.first().getByRole('button', { name: 'Details' }).click()
  await expect(attempts.first()).toContainText('thanks')
  expect(new Set(receiver.seen.map(({ headers }) => headers['webhook-id'])).size).toBe(1)

  await page.getByRole('button', { name: 'New secret' }).click()
  await dialog.getByRole('button', { name: 'Make new secret' }).click()
  await expect(field).toHaveValue(/^whsec_/)
  const second = await field.inputValue()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText('The former secret signs too until')).toBeVisible()
  const before = receiver.seen.length
  await page.getByRole('button', { name: 'Send a test' }).click()
  await expect.poll(() => receiver.seen.length).toBeGreaterThan(before)
  for (const each of [secret, second]) judged(each, receiver.seen.at(-1) as Arrived)

  await page.getByRole('button', { name: 'Switch off' }).click()
  await expect(page.getByText('An Admin switched it off.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send a test' })).toBeDisabled()
  const at = page.url()
  await page.getByRole('button', { name: 'Delete webhook' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete webhook' }).click()
  await expectToast(page, 'Webhook deleted')
  await expect(page.getByText('No webhook yet')).toBeVisible()

  await opened(page, at)
  await expect(page.getByText('This webhook is gone')).toBeVisible()
  await page.getByRole('link', { name: 'All webhooks' }).click()
  await expect(page.getByText('No webhook yet')).toBeVisible()
  await receiver.close()
})

test('an Editor sees none of it', async ({ setting, person, browser }) => {
  const context = await browser.newContext({ baseURL: setting.product.url })
  const editor = await aPerson(setting, context, await context.newPage(), {
    ...{ role: 'Editor', workspace: person.workspace },
  })
  await opened(editor.page, AT)
  await expect(editor.page.getByText('Only an Admin can see this')).toBeVisible()
  expect((await editor.call('GET', '/webhooks')).status).toBe(403)
  await context.close()
})
