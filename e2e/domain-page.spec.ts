/** A domain's own page: how it is, what to do, and what belongs to it. */
import type { Page } from '@playwright/test'
import type { DnsRecord } from '#contract/domains.ts'
import { aMailbox } from '#test-world/builders.ts'
import { aDomainWithRecords } from './specification/domain-rows.ts'
import {
  expect,
  expectToast,
  opened,
  type Person,
  type Setting,
  test,
} from './specification/setting.ts'

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const h1 = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const h2 = (page: Page, name: string) => page.getByRole('heading', { level: 2, name, exact: true })
const verifyNow = (page: Page) => page.getByRole('button', { name: 'Verify now', exact: true })

const publish = ({ product: { dns } }: Setting, records: readonly DnsRecord[]) => {
  for (const { type, name, value, priority } of records)
    if (type === 'TXT') dns.set(name, 'TXT', [value.match(/.{1,255}/gs) ?? []])
    else dns.set(name, 'MX', [`${priority} ${value}`])
}

const added = async (setting: Setting, { call }: Person) => {
  const name = `own-page-${crypto.randomUUID().slice(0, 8)}.example`
  setting.product.dns.zone(name)
  const id: string = (await call('POST', '/domains', { name })).body._id
  return { id, name, path: `/dashboard/domains/${id}` }
}

test('the name of a domain that works leads to a page about it, and on to its mailboxes', async ({
  setting,
  person,
}) => {
  const { page, workspace } = person
  const name = `works-${crypto.randomUUID().slice(0, 8)}.example`
  const given = { name, workspaceId: workspace.id, active: true, states: 'verified' } as const
  const domain = await aDomainWithRecords(setting, given)
  for (let n = 0; n < 6; n++) await aMailbox(setting, { domain, localPart: `person-${n}` })
  await opened(page, '/dashboard/domains')
  await page.getByRole('link', { name, exact: true }).click()
  await expect(h1(page, name)).toBeFocused()
  await expect(page).toHaveURL(`/dashboard/domains/${domain.id}`)
  await expect(page).toHaveTitle(`${name} | Mailstead`)
  await expect(page.getByRole('banner')).toContainText('Domain')
  await expect(page.getByText('Add Domain')).toHaveCount(0)
  await expect(part(page, 'Health')).toContainText('All records are right')
  await expect(part(page, 'DNS records').getByRole('listitem')).toHaveCount(5)
  await expect(part(page, 'DNS records').getByText('Verified', { exact: true })).toHaveCount(5)
  await expect(part(page, 'Activity')).toContainText('No record has changed')
  await expect(part(page, 'Mail for unknown addresses')).toContainText('is refused')

  const mailboxes = part(page, 'Mailboxes')
  await expect(mailboxes.getByRole('listitem')).toHaveCount(5)
  await mailboxes.getByRole('link', { name: 'See all 6 mailboxes' }).click()
  await expect(page).toHaveURL(`/dashboard/mailboxes?q=${name}`)
  await page.goBack()
  await mailboxes.getByRole('link', { name: 'Add mailbox' }).click()
  await expect(page.getByRole('dialog').getByLabel('Domain')).toHaveText(name)
})

test('what is not done is said with the step that does it, and one look later all is well', async ({
  setting,
  person,
}) => {
  const { page, call } = person
  const { id, name, path } = await added(setting, person)
  const health = part(page, 'Health')
  await opened(page, path)
  await expect(health).toContainText('Not verified yet')
  await health.getByRole('link', { name: 'Continue setup' }).click()
  await expect(h2(page, 'Verify domain')).toBeVisible()
  await expect(h1(page, name)).toBeVisible()
  await page.getByRole('link', { name: 'Open its page' }).click()
  await expect(h1(page, name)).toBeFocused()

  publish(setting, [(await call('GET', `/dns-records/ownership/${id}`)).body])
  await verifyNow(page).click()
  await expect(health).toContainText('3 of 3 DNS records are missing')
  const records: DnsRecord[] = (await call('GET', `/dns-records/dns/${id}`)).body
  publish(setting, records)
  setting.product.dns.set(name, 'TXT', ['v=spf1 -all'])
  await verifyNow(page).click()
  await expect(health).toContainText('SPF is wrong in DNS')
  await expect(page.getByRole('list', { name: 'What is wrong' })).toHaveText(/^SPF: /)
  await expect(part(page, 'Activity').getByRole('listitem').first()).toContainText('Pending')
  await health.getByRole('link', { name: 'Fix the records' }).click()
  await expect(h2(page, 'Verify DNS')).toBeVisible()
  await page.goBack()

  publish(setting, records)
  await verifyNow(page).click()
  await expect(health).toContainText('All records are right')
  await expect(health.getByRole('link', { name: 'Add mailbox' })).toBeVisible()
})

test('one press on Verify reads nothing twice', async ({ setting, person }) => {
  const { page, call } = person
  const { id, path } = await added(setting, person)
  // The looks that follow adding it are over, and no other comes by itself.
  await call('POST', `/dns-records/verify-ownership/${id}`)
  const looked = async () => (await call('GET', `/domains/${id}/dns`)).body.checkedAt
  await expect.poll(looked).not.toBeNull()
  const stopLooking = () =>
    setting.db
      .updateTable('domainRecords')
      .set({ nextCheckAt: null })
      .where('domainId', '=', id)
      .execute()
  const claimed = () =>
    setting.db
      .selectFrom('domains')
      .select('id')
      .where('id', '=', id)
      .where('checkClaimedUntil', '>', new Date())
      .execute()
  const letLooksEnd = async () => {
    await stopLooking()
    await expect.poll(claimed).toEqual([])
    // A look that was on its way has set the time of the next one.
    await stopLooking()
  }
  await letLooksEnd()
  publish(setting, [(await call('GET', `/dns-records/ownership/${id}`)).body])
  await opened(page, path)
  const health = part(page, 'Health')
  await expect(health).toContainText('Not verified yet')
  const reads = new Map<string, number>()
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() !== 'GET') return
    reads.set(pathname, (reads.get(pathname) ?? 0) + 1)
  })
  const shown = ['dns-records/ownership', 'dns-records/dns', 'dns-records/history', 'domains']
  const readsOf = () => shown.map((each) => reads.get(`/api/v1/${each}/${id}`))
  await verifyNow(page).click()
  await expect(health).toContainText('3 of 3 DNS records are missing')
  await expect.poll(readsOf).toEqual([1, 1, 1, 1])
  // Verifying has set the time of the next look, since the page is open.
  await letLooksEnd()
  const before = readsOf()
  // Announced once, after all results of the check.
  await call('POST', `/domains/${id}/dns-links`, { days: 7 })
  await expect.poll(readsOf).toEqual(before.map((count) => (count ?? 0) + 1))
})

test('a domain is deleted from its page, and one that is not there has a way on', async ({
  setting,
  person,
}) => {
  const { page } = person
  const { path, name } = await added(setting, person)
  await opened(page, path)
  await page.getByRole('button', { name: 'Delete domain' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete domain' }).click()
  await expectToast(page, 'Domain deleted', name)
  await expect(page).toHaveURL('/dashboard/domains')
  for (const gone of [path, '/dashboard/domains/nothing']) {
    await opened(page, gone)
    await expect(page.getByText('This domain is not in your workspace')).toBeVisible()
    await expect(h1(page, 'Domain')).toBeVisible()
  }
  await page.getByRole('link', { name: 'Go to Domains' }).click()
  await expect(h1(page, 'Domains')).toBeFocused()
})
