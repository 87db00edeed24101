import { afterAll, beforeAll, expect, it } from 'vitest'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox } from '#test-world/builders.ts'
import { aMessage, someRecords } from '#test-world/details.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { getMailPerDay, getStats } from './stats.ts'

let app: TestApp
beforeAll(async () => {
  app = await anApp({ config: { domainMailboxLimit: 5 } })
})
afterAll(() => app.close())

it('counts nothing in a new workspace', async () => {
  expect(await getStats(app, await aMember(app))).toEqual({
    domains: {
      ...{ total: 0, active: 0, pending: 0, dnsVerified: 0, dnsPending: 0, dnsFailed: 0 },
      needWork: 0,
    },
    mailboxes: { total: 0, active: 0, suspended: 0, inactive: 0, activeDomains: 0, slots: 0 },
    storage: { usedBytes: 0, quotaBytes: 75_000_000_000 },
    messages: { today: 0, yesterday: 0 },
  })
})

it('counts what the workspace has and nobody else', async () => {
  const who = await aMember(app)
  const { workspaceId } = who
  const busy = await anActiveDomain(app, who)
  const full = await anActiveDomain(app, who)
  const empty = await anActiveDomain(app, who)
  const broken = await aDomain(app, { workspaceId, verified: true })
  const fresh = await aDomain(app, { workspaceId })
  for (const domain of [busy, full, empty])
    await someRecords(app, domain, ['verified', 'verified', 'verified'], 'conflict')
  await someRecords(app, broken, ['verified', 'different', 'waiting'], 'verified')
  await someRecords(app, fresh, ['waiting', 'unknown', 'verified'], 'waiting')

  const mailbox = await aMailbox(app, { domain: busy, usedBytes: 5_000_000_000 })
  await aMailbox(app, { domain: busy, status: 'inactive', usedBytes: 7 })
  // More than the limit, since it was lowered: no other domain loses a place by it.
  for (let i = 0; i < 7; i++) await aMailbox(app, { domain: full, status: 'suspended' })
  await aMailbox(app, { domain: broken })

  await aMessage(app, mailbox, { date: new Date('2026-11-20T00:00:00Z'), uid: 1 })
  await aMessage(app, mailbox, { date: new Date('2026-11-20T11:00:00Z'), uid: 2 })
  await aMessage(app, mailbox, { date: new Date('2026-11-20T11:00:00Z'), uid: 3, isDraft: true })
  await aMessage(app, mailbox, { date: new Date('2026-11-19T23:59:59Z'), uid: 4 })
  await aMessage(app, mailbox, { date: new Date('2026-11-18T23:59:59Z'), uid: 5 })
  await aMessage(app, mailbox, { date: new Date('2026-11-07T00:00:00Z'), uid: 6 })
  await aMessage(app, mailbox, { date: new Date('2026-11-06T23:59:59Z'), uid: 7 })
  const stranger = await aMailbox(app)
  await aMessage(app, stranger, { date: new Date('2026-11-20T11:00:00Z'), uid: 1 })

  expect(await getStats(app, who)).toEqual({
    domains: {
      ...{ total: 5, active: 3, pending: 2, dnsVerified: 3, dnsPending: 1, dnsFailed: 1 },
      // Those that are not active, and two with mailboxes and an MX record that is wrong.
      needWork: 4,
    },
    mailboxes: { total: 10, active: 2, suspended: 7, inactive: 1, activeDomains: 1, slots: 8 },
    storage: { usedBytes: 5_000_000_007, quotaBytes: 75_000_000_000 },
    messages: { today: 2, yesterday: 1 },
  })
  const { days } = await getMailPerDay(app, who)
  expect(days).toHaveLength(14)
  expect(days[0]).toEqual({ date: '2026-11-07', messages: 1 })
  expect(days.slice(-3)).toEqual([
    { date: '2026-11-18', messages: 1 },
    { date: '2026-11-19', messages: 1 },
    { date: '2026-11-20', messages: 2 },
  ])
  expect(days.reduce((sum, { messages }) => sum + messages, 0)).toBe(5)
})
