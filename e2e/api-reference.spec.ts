/** Somebody who writes a program reads the API: without an account, by keyboard, and by an address that leads to one operation. */
import { KEY_SCOPES } from '#contract/developers/scopes.ts'
import { aDomain } from '#test-world/builders.ts'
import { expectAt, press, tabTo } from './keyboard/keys.ts'
import { cutting, expect, opened, test } from './specification/setting.ts'

test('a developer finds an operation by its words, and reads how to ask for it', async ({
  page,
  setting,
}) => {
  await page.goto(`${setting.product.url}/developers/api`)
  await page.getByLabel('Search operations').fill('every record verify-dns')
  const operations = page.getByRole('navigation', { name: 'Operations' })
  await expect(operations.getByRole('link')).toHaveText([/verifyDns/])
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/#verifyDns$/)
  const heading = page.getByRole('heading', { name: 'Look every record up now', exact: false })
  await expect(heading).toBeFocused()
  await expect(page.getByRole('region', { name: 'Request with curl' })).toContainText(
    `curl -X POST '${setting.product.url}/api/v1/dns-records/verify-dns/`,
  )
  await page.getByText('Fields of the answer').click()
  await expect(page.getByText('How to correct it, in one sentence')).toBeVisible()
  await expect(page.getByText('DOMAIN_NOT_VERIFIED')).toBeVisible()
})

test('an address that names an operation shows it at once', async ({ page, setting }) => {
  await page.goto(`${setting.product.url}/developers/api#sendMessage`)
  await expect(page.getByRole('heading', { level: 2 }).last()).toHaveText(
    'Send a message, or save a draft',
  )
  await page.goto(`${setting.product.url}/developers/api#nothing`)
  await expect(page.getByText('There is no such operation')).toBeVisible()
})

test('from the page of the keys a member reads with the session, and changes something with a key alone', async ({
  setting,
  person,
}) => {
  const { page, workspace } = person
  const domain = await aDomain(setting, { workspaceId: workspace.id })
  const refused: string[] = []
  page.on('console', (message) => {
    if (/Content.Security.Policy/i.test(message.text())) refused.push(message.text())
  })
  await opened(page, '/dashboard/developers')
  await page.getByRole('link', { name: 'API reference' }).click()
  await page.getByRole('link', { name: 'GET listDomains', exact: true }).click()
  await press(page, 'button', 'Send request')
  const answer = page.getByRole('region', { name: 'What came back' })
  await expect(page.getByText('Status 200')).toBeVisible()
  await expect(answer).toContainText(domain.name)

  await page.goto('/developers/api#addDomain')
  await tabTo(page, 'textbox', 'Body')
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('{ "name": ')
  await press(page, 'button', 'Send request')
  await expect(page.getByText('This is not JSON')).toBeVisible()
  await expect(page.getByText('Enter a key: this changes something here')).toBeVisible()
  await expect(page.getByLabel('Body')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel('Key')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Body').fill('{ "name": "tried.example" }')
  const form = { name: 'Trying', scopes: KEY_SCOPES }
  const { key } = (await person.call('POST', '/api-keys', form)).body
  await page.getByLabel('Key').fill(key)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Status 201')).toBeVisible()
  await expect(answer).toContainText('"tried.example"')
  await page.getByLabel('Key').press('Enter')
  await expect(page.getByText('Status 409')).toBeVisible()
  await expect(answer).toContainText('DOMAIN_EXISTS')
  const end = await cutting(page, '/domains', 'POST')
  await page.getByLabel('Key').press('Enter')
  await expect(page.getByText('No answer came. Please try again')).toBeVisible()
  await end()
  await expectAt(page, 'textbox', 'Key')
  const names = (await person.call('GET', '/domains')).body.map(
    ({ name }: { name: string }) => name,
  )
  expect(names.toSorted()).toEqual([domain.name, 'tried.example'].toSorted())
  expect(refused).toEqual([])
})

test('without a session there is the answer that a program would get; what is open to all changes nothing', async ({
  page,
  setting,
}) => {
  await page.goto(`${setting.product.url}/developers/api#listDomains`)
  await page.getByRole('button', { name: 'Send request' }).click()
  await expect(page.getByText('Status 401')).toBeVisible()
  await expect(page.getByRole('region', { name: 'What came back' })).toContainText('NO_AUTH_TOKEN')
  await page.goto(`${setting.product.url}/developers/api#register`)
  await expect(page.getByRole('heading', { name: 'Errors' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send request' })).toHaveCount(0)
})
