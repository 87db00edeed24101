/** Another person runs the DNS: a member sends them a link, they publish what it shows, and the link is revoked. */
import type { Browser, Page } from '@playwright/test'
import type { DnsRecord, Domain } from '#contract/domains.ts'
import { ELSEWHERE } from '#test-world/product.ts'
import { mailedLink, publish } from '#test-world/trials/account.ts'
import { watchCalls } from './browsers.ts'
import { axeFaults } from './screens/faults/axe-faults.ts'
import { widthFaults } from './screens/faults/width-faults.ts'
import {
  expect,
  expectToast,
  opened,
  type Person,
  type Setting,
  test,
} from './specification/setting.ts'

const PHONE = { width: 390, height: 844 }

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Send to your DNS administrator' })
const rowOf = (page: Page, text: string) =>
  page.getByRole('table', { name: 'Records to publish' }).getByRole('row').filter({ hasText: text })

/** In the DNS of the product, with nothing published. */
const aDomain = async ({ product }: Setting, { call }: Person) => {
  const name = `d${crypto.randomUUID().slice(0, 8)}.example`
  product.dns.zone(name)
  product.dns.set(name, 'MX', ['10 mx.elsewhere.example'])
  const { body: domain }: { body: Domain } = await call('POST', '/domains', { name })
  const { body: ownership } = await call('GET', `/dns-records/ownership/${domain._id}`)
  const { body: records } = await call('GET', `/dns-records/dns/${domain._id}`)
  const required = [ownership, ...records].filter((record: DnsRecord) => record.required)
  return { domain, required: required as DnsRecord[] }
}

/** With no cookies, at a browser of their own. */
const aStranger = async (browser: Browser, size = { width: 1440, height: 900 }): Promise<Page> =>
  (await browser.newContext({ viewport: size, bypassCSP: true })).newPage()

test.afterEach(async ({ browser, context }) => {
  const others = browser.contexts().filter((each) => each !== context)
  await Promise.all(others.map((each) => each.close()))
})

test('a link is made and opened without an account; what is published shows there; revoked, it is gone', async ({
  person,
  setting,
  browser,
}) => {
  const { page } = person
  const { domain, required } = await aDomain(setting, person)
  await opened(page, `/dashboard/add-domain?id=${domain._id}`)
  await button(page, 'Send to your DNS administrator').click()
  await expect(dialog(page)).toContainText('Links that you make are listed here until they expire.')
  await expect(dialog(page).getByLabel('Works for')).toHaveText('7 days')
  await dialog(page).getByRole('button', { name: 'Make link' }).click()
  await expectToast(page, 'Link made')
  const made = dialog(page).getByRole('listitem')
  await expect(made).toContainText(
    /Expires in 7 days\. Made just now by Ada Lovelace\. Not opened yet\./,
  )
  await expect(made.getByRole('button', { name: 'Copy link' })).toBeFocused()
  const url = (await made.getByText(/\/dns#/).textContent()) ?? ''

  const grace = await aStranger(browser)
  const calls = watchCalls(grace)
  const addresses: string[] = []
  grace.on('request', (request) => {
    const { referer = '' } = request.headers()
    addresses.push(request.url(), referer)
  })
  await grace.goto(url)
  await expect(
    grace.getByRole('heading', { level: 1, name: `DNS records for ${domain.name}` }),
  ).toBeVisible()
  const main = grace.getByRole('main')
  await expect(main).toContainText('Analytical Engines asks you to publish these records')
  await expect(main).not.toContainText(/\bAda\b/)
  await expect(main).toContainText('goes to mx.elsewhere.example now')
  await expect(rowOf(grace, '_mailstead')).toContainText('Pending')
  await expect(made).toContainText('Last opened just now.')

  publish(setting.product, required)
  await button(grace, 'Check now').click()
  await expect(main).toContainText('Everything that is required is published.')
  await expect(rowOf(grace, '_mailstead')).toContainText('Verified')
  await expect(button(grace, /^Check again in \d+s$/)).toBeFocused()
  // The page of the member, behind its dialog, knows too.
  const behind = page.getByRole('table', { name: 'Ownership record', includeHidden: true })
  await expect(behind).toContainText('Verified')
  // No session, no profile, only the link; its token was in no address that is sent to a server.
  expect(calls.filter((call) => !/^POST \/dns-links\/(open|check) 200$/.test(call))).toEqual([])
  const [, token = ''] = url.split('#')
  expect(addresses.filter((address) => address.split('#')[0]?.includes(token))).toEqual([])

  const [file] = await Promise.all([
    grace.waitForEvent('download'),
    button(grace, 'Zone file').click(),
  ])
  expect(file.suggestedFilename()).toBe(`${domain.name}.zone`)

  await made.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await expectToast(page, 'Link revoked')
  await expect(dialog(page)).toContainText('Open links: 0')
  await grace.reload()
  await expect(grace.getByRole('heading', { name: 'This link does not work' })).toBeFocused()
  await expect(main).not.toContainText(domain.name)
})

test('a link is mailed, and opened on a phone', async ({ person, setting, browser }) => {
  const { page } = person
  const { domain, required } = await aDomain(setting, person)
  const email = `grace-${crypto.randomUUID().slice(0, 8)}@${ELSEWHERE}`
  await page.setViewportSize(PHONE)
  await opened(page, `/dashboard/add-domain?id=${domain._id}`)
  await button(page, 'Send to your DNS administrator').click()
  const field = dialog(page).getByLabel('Email')
  await field.fill('grace@')
  await dialog(page).getByRole('button', { name: 'Make and send link' }).click()
  await expect(field).toHaveAccessibleDescription(/Invalid email address/)
  await dialog(page).getByLabel('Works for').press('ArrowDown')
  await expect(page.getByRole('option', { selected: true })).toBeFocused()
  await page.keyboard.type('1')
  await expect(page.getByRole('option', { name: /^1\b/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await field.fill(email)
  await field.press('Enter')
  await expectToast(page, 'Link sent', `To ${email}`)
  await expect(field).toHaveValue('')
  await expect(dialog(page).getByRole('listitem')).toContainText(`sent to ${email}`)
  expect(await widthFaults(page)).toEqual([])
  await button(page, 'Send by mail').click()
  await expect(dialog(page).getByLabel('Send to')).toBeFocused()
  await button(page, 'Cancel').click()
  await expect(button(page, 'Send by mail')).toBeFocused()

  const grace = await aStranger(browser, PHONE)
  await grace.goto((await mailedLink(setting.product, email)).href)
  await expect(rowOf(grace, '_mailstead')).toContainText('Pending')
  await expect(grace.getByRole('table', { name: 'Records for receiving mail' })).toHaveCount(0)
  await button(grace, 'Show the record that moves mail').click()
  await expect(grace.getByRole('table', { name: 'Records for receiving mail' })).toBeVisible()
  expect(await widthFaults(grace)).toEqual([])
  expect(await axeFaults(grace, 'all')).toEqual([])

  // What is found while one looks stays where it is; from then on what is still to do comes first.
  const rows = grace.getByRole('table', { name: 'Records to publish' }).getByRole('row')
  publish(setting.product, required.slice(0, 1))
  await button(grace, 'Check now').click()
  await expect(rowOf(grace, '_mailstead')).toContainText('Verified')
  await expect(rows.nth(1)).toContainText('_mailstead')
  await grace.reload()
  await expect(rowOf(grace, '_mailstead')).toContainText('Verified')
  await expect(rows.nth(1)).toContainText('Pending')
})

test('one link to several domains: each is checked and shown on one page, until it is revoked', async ({
  person,
  setting,
  browser,
}) => {
  const { page } = person
  const [first, second] = [await aDomain(setting, person), await aDomain(setting, person)]
  await opened(page, '/dashboard/domains')
  await page.getByLabel('Select all').check()
  const bar = page.getByRole('region', { name: 'Selected rows' })
  await bar.getByRole('button', { name: 'Send link' }).click()
  await expect(dialog(page)).toContainText('the records of 2 domains on one page')
  await dialog(page).getByRole('button', { name: 'Make link' }).click()
  const made = dialog(page).getByRole('listitem')
  await expect(made).toContainText('2 domains: ')
  const url = (await made.getByText(/\/dns\/domains#/).textContent()) ?? ''

  const grace = await aStranger(browser, PHONE)
  const calls = watchCalls(grace)
  await grace.goto(url)
  const heading = grace.getByRole('heading', { level: 1, name: 'DNS records for 2 domains' })
  await expect(heading).toBeVisible()
  const row = (of: { domain: Domain }) => grace.getByRole('button', { name: of.domain.name })
  await expect(grace.getByRole('button', { expanded: true })).toContainText('To publish')
  await expect(rowOf(grace, '_mailstead')).toContainText('Pending')
  expect(await widthFaults(grace)).toEqual([])
  expect(await axeFaults(grace, 'all')).toEqual([])

  publish(setting.product, second.required)
  await button(grace, 'Check all now').click()
  await expect(row(second)).toContainText('Done')
  await expect(row(first)).toContainText('To publish')
  await expect(grace.getByText('1 of 2 domains has every required record')).toBeVisible()
  if ((await row(second).getAttribute('aria-expanded')) === 'false') await row(second).click()
  await expect(rowOf(grace, '_mailstead')).toContainText('Verified')
  const allowed = /^POST \/dns-links\/(domains|open|check) 200$/
  expect(calls.filter((call) => !allowed.test(call))).toEqual([])

  await made.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await expectToast(page, 'Link revoked')
  await grace.reload()
  await expect(grace.getByRole('heading', { name: 'This link does not work' })).toBeFocused()
})
