/** I make an API key, a program calls with it, I see that it was used and what it may do, and I end it. */
import type { Page } from '@playwright/test'
import { aDomain, aMailbox } from '#test-world/builders.ts'
import { aHolder, HOLDERS_PASSWORD } from '#test-world/people/holders.ts'
import { expectAt, press, tabTo } from './keyboard/keys.ts'
import {
  answering,
  expect,
  expectToast,
  opened,
  refusal,
  type Setting,
  test,
} from './specification/setting.ts'

const PAGE = '/dashboard/developers'
const list = (page: Page) => page.getByRole('region', { name: 'Keys of this workspace' })
const own = (page: Page) => page.getByRole('region', { name: 'Your keys' })

/** As a program does. */
const call = async ({ product }: Setting, key: string, path: string) => {
  const headers = { authorization: `Bearer ${key}` }
  const answer = await fetch(`${product.url}/api/v1${path}`, { headers })
  return { status: answer.status, body: await answer.json() }
}

test('a program gets a key for one domain, is seen at work, and is ended', async ({
  setting,
  person,
}) => {
  const { page, context, workspace } = person
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const near = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const far = await aDomain(setting, { workspaceId: workspace.id, active: true })
  await aMailbox(setting, { domain: near })
  await opened(page, '/dashboard/settings')
  await page.getByRole('link', { name: 'Developers' }).click()
  await expect(list(page)).toContainText('No key of the workspace yet')
  await page.getByRole('button', { name: 'New workspace key' }).click()
  const dialog = page.getByRole('dialog')
  const make = dialog.getByRole('button', { name: 'Make API key' })
  await make.click()
  await expect(dialog.getByText('Please enter a name')).toBeVisible()
  await expect(dialog.getByText('Please choose what it may do')).toBeVisible()
  await dialog.getByLabel('Name').fill('Onboarding')
  await dialog.getByLabel('See domains and their DNS records').click()
  await dialog.getByLabel('Make, change and delete mailboxes').click()
  await dialog.getByRole('radio', { name: 'Some of it' }).click()
  await dialog.getByLabel('Networks (optional)').fill('somewhere')
  await make.click()
  await expect(dialog.getByText('Please choose at least one')).toBeVisible()
  await dialog.getByLabel('Domains', { exact: true }).click()
  await page.getByRole('option', { name: near.name }).click()
  await page.keyboard.press('Escape')
  await expect(dialog.getByLabel('Domains', { exact: true })).toHaveText(near.name)
  await make.click()
  await expect(dialog.getByText('Please enter addresses or networks')).toBeVisible()
  await dialog.getByLabel('Networks (optional)').fill('127.0.0.0/8, ::1')
  await make.click()

  const field = dialog.getByRole('textbox', { name: 'Key', exact: true })
  await expect(field).toHaveValue(/^mailstead_\w{36}$/)
  const key = await field.inputValue()
  await dialog.getByRole('button', { name: 'Close' }).click()
  const leaving = page.getByRole('alertdialog', { name: 'Close without the key?' })
  await leaving.getByRole('button', { name: 'Cancel' }).click()
  await dialog.getByRole('button', { name: 'Copy key' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()
  const row = list(page).getByRole('listitem')
  await expect(row).toHaveText([/Onboarding.*Only 1 domain.*Never used/])
  await expect(page.getByText(key)).toHaveCount(0)

  const seen = await call(setting, key, '/domains')
  expect(seen.body.map(({ name }: { name: string }) => name)).toEqual([near.name])
  expect((await call(setting, key, `/domains/${far.id}`)).status).toBe(404)
  expect((await call(setting, key, '/members')).status).toBe(403)

  await opened(page, PAGE)
  await expect(row).toHaveText([/Used.*from (127\.0\.0\.1|::1)/])
  await row.getByRole('link', { name: 'Onboarding' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Onboarding' })).toBeVisible()
  await expect(page.getByText(`Only 1 domain: ${near.name}`)).toBeVisible()
  const calls = page.getByRole('region', { name: 'Calls' })
  await expect(calls.getByText('GET /domains/{id}', { exact: true })).toBeVisible()
  await expect(calls.getByText('POST /mailboxes', { exact: true })).toBeVisible()
  await expect(calls.getByText('POST /domains', { exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: 'End key' }).click()
  const question = page.getByRole('alertdialog', { name: 'End Onboarding?' })
  await question.getByRole('button', { name: 'End key' }).click()
  await expectToast(page, 'API key ended', 'Onboarding')
  await expect(list(page)).toContainText('No key of the workspace yet')
  expect((await call(setting, key, '/domains')).status).toBe(401)
})

test('by keyboard, with a refusal that stays in the dialog', async ({ setting, person }) => {
  const { page } = person
  const end = await answering(page, 'POST', '/api-keys', refusal('API_KEY_LIMIT'))
  await opened(page, PAGE)
  await expect(own(page)).toContainText('You have no key of your own yet')
  const open = page.getByRole('button', { name: 'New key of your own' })
  await open.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('My script')
  await tabTo(page, 'checkbox', 'See domains and their DNS records')
  await page.keyboard.press('Space')
  await press(page, 'textbox', 'Name', { back: true })
  await expect(dialog.getByRole('alert')).toContainText('There are 100 API keys already')
  await end()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('textbox', { name: 'Key', exact: true })).toBeVisible()
  const key = await dialog.getByRole('textbox', { name: 'Key', exact: true }).inputValue()
  await press(page, 'button', 'Done')
  await expectAt(page, 'button', 'New key of your own')
  await expect(own(page).getByRole('listitem')).toHaveText([/My script.*The whole workspace/])
  await expect(list(page)).toContainText('No key of the workspace yet')
  expect((await call(setting, key, '/key')).body).toMatchObject({ kind: 'person' })
})

test('its maker changes a key, reads what is wrong at its field, and the program notices', async ({
  setting,
  person,
}) => {
  const { page, workspace } = person
  const domain = await aDomain(setting, { workspaceId: workspace.id, active: true })
  const form = { name: 'Onboarding', scopes: ['domains:read'] }
  const { _id, key } = (await person.call('POST', '/api-keys', form)).body
  await opened(page, `${PAGE}/keys/${_id}`)
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Change API key' })
  const save = dialog.getByRole('button', { name: 'Save' })
  await expect(dialog.getByLabel('Name')).toHaveValue('Onboarding')
  await expect(save).toBeDisabled()
  await dialog.getByLabel('Name').fill('')
  await dialog.getByLabel('Networks (optional)').fill('somewhere')
  await save.click()
  await expect(dialog.getByText('Please enter a name')).toBeVisible()
  await dialog.getByLabel('Name').fill('Reports')
  await dialog.getByLabel('Last day (optional)').fill('2020-01-01')
  await save.click()
  await expect(dialog.getByText('Please enter addresses or networks')).toBeVisible()
  await dialog.getByLabel('Networks (optional)').fill('127.0.0.0/8 ::1')
  await save.click()
  await expect(dialog.getByText('This day is over')).toBeVisible()
  await dialog.getByLabel('Last day (optional)').fill('2199-01-01')
  await dialog.getByLabel('See domains and their DNS records').click()
  await dialog.getByLabel('See mailboxes, aliases and settings').click()
  await save.click()
  await expectToast(page, 'API key changed', 'Reports')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('heading', { level: 1, name: 'Reports' })).toBeVisible()
  await expect(page.getByText('127.0.0.0/8, ::1')).toBeVisible()
  await expect(page.getByText('After Jan 1, 2199')).toBeVisible()
  expect((await call(setting, key, `/domains/${domain.id}`)).status).toBe(403)
  expect((await call(setting, key, '/mailboxes')).status).toBe(200)
  expect((await person.call('GET', `/api-keys/${_id}`)).body).toMatchObject({
    ...{ name: 'Reports', scopes: ['mailboxes:read'], ips: ['127.0.0.0/8', '::1'] },
  })
})

test('the holder of a mailbox makes a key on the settings page, for that mailbox alone', async ({
  setting,
  page,
}) => {
  const mailbox = await aMailbox(setting, { domain: await aDomain(setting, { active: true }) })
  await aHolder(setting, mailbox)
  await page.goto('/login')
  await page.getByLabel('Email').fill(mailbox.email)
  await page.getByLabel('Password', { exact: true }).fill(HOLDERS_PASSWORD)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('button', { name: 'Compose' })).toBeVisible()
  await page.getByRole('link', { name: 'Settings', exact: true }).first().click()
  // Another one leads to the card on this page.
  const out = page.locator('[href="/dashboard/developers"]')
  const keys = page.getByRole('link', { name: 'API keys', exact: true }).and(out)
  await page.getByRole('main').locator(keys).click()
  await expect(page.getByRole('heading', { level: 1, name: 'API keys' })).toBeVisible()
  await page.goBack()
  await page.getByRole('navigation', { name: 'Main' }).locator(keys).click()
  await expect(page.getByText('What programs may do with your mailbox')).toBeVisible()
  await expect(page.getByRole('tab')).toHaveCount(0)
  await page.getByRole('button', { name: 'New API key' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('checkbox')).toHaveCount(5)
  await expect(dialog.getByText('What it reaches')).toHaveCount(0)
  await dialog.getByLabel('Name').fill('My script')
  await dialog.getByLabel('Read mail, and follow what was sent').click()
  await dialog.getByLabel('See its settings').click()
  await dialog.getByRole('button', { name: 'Make API key' }).click()
  const key = await dialog.getByRole('textbox', { name: 'Key', exact: true }).inputValue()
  await dialog.getByRole('button', { name: 'Copy key' }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()
  const row = page.getByRole('region', { name: 'API keys' }).getByRole('listitem')
  await expect(row).toHaveText([/My script.*Your mailbox/])
  const seen = await call(setting, key, '/mailboxes')
  expect(seen.body.items.map(({ email }: { email: string }) => email)).toEqual([mailbox.email])
  expect((await call(setting, key, `/mailboxes/${mailbox.id}/messages`)).status).toBe(200)
  expect((await call(setting, key, '/members')).status).toBe(403)
  await row.getByRole('link', { name: 'My script' }).click()
  await expect(page.getByText('Your mailbox', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'End key' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'End key' }).click()
  await expectToast(page, 'API key ended', 'My script')
  expect((await call(setting, key, '/mailboxes')).status).toBe(401)
})
