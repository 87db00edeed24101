/** Somebody who writes a program reads the API: without an account, by keyboard, and by an address that leads to one operation. */
import { rm, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Webhook as Judge } from 'standardwebhooks'
import { KEY_SCOPES } from '#contract/developers/scopes.ts'
import { TEST_TOPIC, WEBHOOK_TOPICS, webhookTopics } from '#contract/developers/webhook-topics.ts'
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

test('a developer finds what webhooks post, and the check of its signature that stands there is right', async ({
  page,
  setting,
}, { outputDir }) => {
  await page.goto(`${setting.product.url}/developers/api`)
  const operations = page.getByRole('navigation', { name: 'Operations' })
  const events = operations.getByRole('link', { name: /^EVENT / })
  await expect(events).toHaveText([...WEBHOOK_TOPICS, TEST_TOPIC].map((topic) => new RegExp(topic)))
  await page.getByLabel('Search operations').fill('bounced')
  await events.click()
  await expect(page).toHaveURL(/#onMailBounced$/)
  const heading = page.getByRole('heading', { name: 'A mail could not be delivered' })
  await expect(heading).toBeFocused()
  await page.getByText('Fields of data').click()
  await expect(page.getByText('deliveryId', { exact: true })).toBeVisible()
  await expect(page.getByText('webhook-signature', { exact: true })).toBeVisible()
  const block = (name: string) => page.getByRole('region', { name, exact: true }).innerText()
  const example = await block('Example of the body')
  const { type, data } = JSON.parse(example)
  expect(type).toBe('mail.bounced')
  webhookTopics[type as 'mail.bounced'].data.parse(data)

  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
  // The way to the package is from the folder of the project.
  const file = join('.test', `check-${basename(outputDir)}.mjs`)
  await writeFile(file, await block('Check of the signature'))
  process.env.WEBHOOK_SECRET = secret
  const { take } = await import(pathToFileURL(resolve(file)).href)
  await rm(file)
  const [id, now] = ['msg', new Date()]
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Judge(secret).sign(id, now, example),
  }
  expect(take(example, headers)).toEqual(data)
  expect(() => take(`${example} `, headers)).toThrow(/signature/)
  await page.getByRole('link', { name: 'addWebhook', exact: true }).click()
  await expect(page.getByText('Have events of the workspace posted').first()).toBeVisible()
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
