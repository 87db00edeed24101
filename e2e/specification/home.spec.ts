/** The home of the dashboard. */
import type { Page } from '@playwright/test'
import type { Stats } from '#contract/stats.ts'
import { aDomain, aMailbox, type Domain } from '#test-world/builders.ts'
import { aMessage, someRecords } from '#test-world/details.ts'
import { shiftOf, watchShifts } from '../failures/world.ts'
import {
  answering,
  expect,
  failing,
  holding,
  opened,
  type Person,
  type Setting,
  test,
} from './setting.ts'

const DAY_MS = 86_400_000
type Six = [Domain, Domain, Domain, Domain, Domain, Domain]
const card = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })

/** 3 domains verified, 2 pending, 1 failed; 4 mailboxes active, 2 suspended, 1 not paid for; 65% of the storage; 7 messages, 3 yesterday. */
const furnish = async (setting: Setting, { workspace }: Person) => {
  const workspaceId = workspace.id
  const domains = await Promise.all(
    Array.from({ length: 6 }, (_, at) =>
      aDomain(setting, { workspaceId, active: at < 3, verified: at < 5 }),
    ),
  )
  const [busy, second, third, fresh, waiting, failed] = domains as Six
  for (const domain of [busy, second, third])
    await someRecords(setting, domain, ['verified', 'verified'])
  await someRecords(setting, fresh, ['verified', 'waiting'])
  await someRecords(setting, waiting, ['waiting', 'waiting'])
  await someRecords(setting, failed, ['verified', 'different'])
  const read = await aMailbox(setting, { domain: busy, usedBytes: 48_750_000_000 })
  for (const status of [
    'active',
    'active',
    'active',
    'suspended',
    'suspended',
    'inactive',
  ] as const)
    await aMailbox(setting, { domain: second, status })
  const today = new Date().setUTCHours(0, 0, 0, 0)
  for (let uid = 1; uid <= 10; uid++)
    await aMessage(setting, read, { uid, date: new Date(uid <= 7 ? today : today - DAY_MS) })
  return { fresh, waiting, failed }
}

test('four cards with live figures [2.36]', async ({ setting, person }) => {
  await furnish(setting, person)
  const { page } = person
  await page.goto('/dashboard')
  await expect(card(page, 'Total Domains').getByRole('paragraph').first()).toHaveText('6')
  await expect(card(page, 'Total Domains').getByRole('listitem')).toHaveText([
    '3 Verified',
    '2 Pending',
    '1 Failed',
  ])
  await expect(card(page, 'Mailboxes').getByRole('paragraph').first()).toHaveText('7')
  await expect(card(page, 'Mailboxes').getByRole('listitem')).toHaveText([
    '4 Active',
    '2 Suspended',
  ])
  await expect(card(page, 'Storage').getByRole('paragraph')).toHaveText([
    '49GB',
    '65% of 75GB used',
  ])
  await expect(card(page, 'Storage').getByRole('progressbar')).toHaveAttribute(
    'aria-valuenow',
    '65',
  )
  await expect(card(page, 'Messages today').getByRole('paragraph')).toHaveText([
    '7',
    '+4 from yesterday',
  ])
})

test('what needs somebody stands below the cards and leads there, beside the mail of each day', async ({
  setting,
  person,
}) => {
  const { failed, fresh, waiting } = await furnish(setting, person)
  const { page } = person
  await page.goto('/dashboard')
  const steps = page.getByRole('list', { name: /^Until mail of .* works$/ }).getByRole('link')
  await expect(steps.first()).toContainText('Create mailboxes')
  await expect(steps.filter({ hasText: /No server receives its mail/ })).toHaveCount(1)
  await expect(steps.last()).toContainText('Answer it from there')
  const rows = page.getByRole('main').getByRole('link').and(page.locator(':not(ol a)'))
  await expect(rows).toHaveText([
    ...[/^1 mailbox is not paid for/, /Failed$/, /Pending$/, /Pending$/],
    // Three are right in DNS as far as they need to be, and no mail comes to them.
    ...Array.from({ length: 3 }, () => /No server receives its mail\.$/),
  ])
  const rowOf = ({ name }: Domain) => rows.filter({ hasText: name })
  await expect(rowOf(failed)).toContainText('Ownership not verified')
  await expect(rowOf(fresh)).toContainText('1 of 2 DNS records verified')
  await expect(rowOf(waiting)).toContainText('0 of 2 DNS records verified')
  const days = page.getByRole('list', { name: 'Messages on each day' }).getByRole('listitem')
  await expect(days).toHaveCount(14)
  await expect(days.last()).toHaveText(/: 7$/)
  await expect(days.nth(12)).toHaveText(/: 3$/)
  await expect(days.first()).toHaveText(/: 0$/)

  await rowOf(failed).click()
  await expect(page).toHaveURL(`/dashboard/add-domain?id=${failed.id}`)
  await page.goBack()
  await rows.first().click()
  await expect(page).toHaveURL('/dashboard/mailboxes')
})

test('a new workspace is led from step to step', async ({ setting, person }) => {
  const { page } = person
  await page.goto('/dashboard')
  await expect(page.getByText('0 of 4')).toBeVisible()
  await expect(page.getByText('Mail per day')).toHaveCount(0)
  await page.getByRole('link', { name: /Add a domain/ }).click()
  await expect(page).toHaveURL('/dashboard/add-domain')
  await aDomain(setting, { workspaceId: person.workspace.id, active: true })
  await page.goto('/dashboard')
  await expect(page.getByText('2 of 4')).toBeVisible()
  await expect(page.getByText('No server receives its mail.')).toBeVisible()
  await expect(page.getByText('All is well')).toHaveCount(0)
  await page.getByRole('link', { name: /Create mailboxes/ }).click()
  await expect(page).toHaveURL('/dashboard/mailboxes')
})

test('figures that come late, large, or not at all', async ({ person: { page } }) => {
  const figures: Stats = {
    domains: {
      ...{ total: 42, active: 28, pending: 14, dnsVerified: 28, dnsPending: 10, dnsFailed: 4 },
      needWork: 14,
    },
    mailboxes: { total: 106, active: 64, suspended: 36, inactive: 6, activeDomains: 13, slots: 34 },
    storage: { usedBytes: 70_000_000_000, quotaBytes: 75_000_000_000 },
    messages: { today: 3, yesterday: 1_208 },
  }
  const end = await answering(page, 'GET', '/stats', { json: figures })
  const release = await holding(page, '/stats')
  await page.goto('/dashboard')
  const titles = ['Total Domains', 'Mailboxes', 'Storage', 'Messages today']
  const boxes = () => Promise.all(titles.map((title) => card(page, title).boundingBox()))
  await expect(card(page, 'Messages today')).toBeVisible()
  const before = await boxes()
  await expect(page.getByText('from yesterday')).toHaveCount(0)
  release()
  await expect(page.getByText('-1,205 from yesterday')).toBeVisible()
  // All four in a row, each with one line below its figure; nothing has moved.
  expect(await boxes()).toEqual(before)
  expect(new Set(before.map((box) => box?.y)).size).toBe(1)

  await end()
  const heal = await failing(page, 'GET', '/stats', { statusCode: 400, message: 'Out of order' })
  await page.reload()
  const trouble = page.getByRole('alert')
  await expect(trouble).toContainText('The figures could not be loaded')
  await expect(trouble).toContainText('Out of order')
  await heal()
  await trouble.getByRole('button', { name: 'Try again' }).click()
  await expect(card(page, 'Total Domains').getByRole('paragraph').first()).toHaveText('0')
})

test('nothing is pushed aside by what comes later, and on a phone two cards stand beside each other', async ({
  setting,
  person: { page, workspace },
}) => {
  await aDomain(setting, { workspaceId: workspace.id })
  await page.setViewportSize({ width: 390, height: 844 })
  await watchShifts(page)
  const [role, stats] = [await holding(page, '/workspaces'), await holding(page, '/stats')]
  await page.goto('/dashboard')
  await expect(card(page, 'Messages today')).toBeVisible()
  const tops = ['Total Domains', 'Mailboxes', 'Storage', 'Messages today'].map(
    async (title) => (await card(page, title).boundingBox())?.y,
  )
  const [first, second, third, fourth] = await Promise.all(tops)
  expect(first).toBe(second)
  expect(third).toBe(fourth)
  expect(third).toBeGreaterThan(second ?? 0)
  stats()
  await expect(page.getByText('from yesterday')).toBeVisible()
  await expect(page.getByText('Mail per day')).toHaveCount(0)
  role()
  await expect(page.getByText('Ownership not verified')).toBeVisible()
  expect(await shiftOf(page)).toBeLessThan(0.02)
})

test('the welcome by navigation state, once [2.37 2.38]', async ({ person: { page } }) => {
  const welcome = page.getByRole('dialog')
  const arrive = async () => {
    // As the router leaves it when a page navigates with a state.
    await page.evaluate(() =>
      history.replaceState({ usr: { showWelcomeModal: true }, key: 'one', idx: 0 }, ''),
    )
    await opened(page)
  }
  const isReady = () => expect(page.getByText('from yesterday')).toBeVisible()
  await opened(page, '/dashboard')
  await isReady()
  await expect(welcome).toHaveCount(0)

  await arrive()
  await expect(welcome).toHaveAccessibleName('Welcome to Mailstead')
  await opened(page)
  await isReady()
  await expect(welcome).toHaveCount(0)

  await arrive()
  await welcome.getByRole('button', { name: 'Lets go', exact: true }).click()
  await expect(welcome).toHaveCount(0)
  await expect(page).toHaveURL('/dashboard')
  await page.getByRole('link', { name: 'Domains', exact: true }).click()
  await expect(page).toHaveURL('/dashboard/domains')
  await page.goBack()
  await isReady()
  await expect(welcome).toHaveCount(0)
})
