import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Who } from '#server/features/accounts/who.ts'
import { editMailbox } from '#server/features/mailboxes/edit-mailbox.ts'
import { listHeldMails } from '#server/features/outbox/held-mails.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { linesBySystem } from '#test-world/audit-lines.ts'
import { aMailbox, type Mailbox } from '#test-world/builders.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { followUnpaid, nextStep } from './follow-unpaid.ts'
import { payForMailboxes } from './pay-for-mailboxes.ts'
import { markInvoicePaid, voidInvoice } from './settle-invoice.ts'

let app: TestApp
let who: Who
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.db.deleteFrom('outboxMessages').execute()
  app.clock.set(new Date('2026-11-20T12:00:00Z'))
  who = await aMember(app)
})

const inADomain = async (count: number): Promise<Mailbox[]> => {
  const domain = await anActiveDomain(app, who)
  return Promise.all(
    Array.from({ length: count }, () => aMailbox(app, { domain, status: 'inactive' })),
  )
}
const pay = (mailboxes: Mailbox[]) =>
  payForMailboxes(
    app,
    who,
    mailboxes.map(({ id }) => id),
    null,
  )
const on = async (day: string) => {
  app.clock.set(new Date(`${day}T06:22:00Z`))
  await followUnpaid(app)
}
const subjects = async () => (await listHeldMails(app)).map(({ subject }) => subject).reverse()
const statusOf = async ({ id }: Mailbox) =>
  (
    await app.db
      .selectFrom('mailboxes')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).status

/** Until the mailboxes of an invoice of November 20, due on December 4, are suspended. */
const untilSuspended = async () => {
  for (const day of ['12-08', '12-12', '12-19', '12-27']) await on(`2026-${day}`)
}

test('reminds after 3, 7 and 14 days, and suspends a week later; none of it twice', async () => {
  const [first, second] = (await inADomain(2)) as [Mailbox, Mailbox]
  const { number } = await pay([first, second])
  const overdue = `Invoice ${number} is overdue`
  const seen: Record<string, number> = {}
  for (let day = 1; day <= 31; day++) {
    const before = (await subjects()).length
    await on(`2026-12-${String(day).padStart(2, '0')}`)
    await Promise.all([followUnpaid(app), followUnpaid(app)])
    const mails = await subjects()
    if (mails.length > before) seen[`${day} ${mails.at(-1)}`] = mails.length - before
    expect(await statusOf(first)).toBe(day < 26 ? 'active' : 'suspended')
  }
  expect(seen).toEqual({
    [`8 ${overdue}`]: 1,
    [`12 ${overdue}`]: 1,
    [`19 ${overdue}`]: 1,
    [`26 Mailboxes are suspended: invoice ${number} is not paid`]: 1,
  })
  expect(await statusOf(second)).toBe('suspended')
  expect(await linesBySystem(app, first)).toEqual([['suspendUnpaid', number]])
  const last = (await listHeldMails(app)).find(({ text }) => text.includes('Unless it is paid'))
  expect(last?.text).toContain('suspended on 26 December 2026')
})

test('an invoice that was overlooked for long is followed step by step', () => {
  const dueAt = new Date('2020-01-01T00:00:00Z')
  expect(nextStep({ dueAt, reminders: 0, remindedAt: null })).toEqual({
    ...{ at: new Date('2020-01-04T00:00:00Z'), what: 'remind' },
  })
  const remindedAt = new Date('2026-11-20T06:22:00Z')
  expect(nextStep({ dueAt, reminders: 1, remindedAt })).toEqual({
    ...{ at: new Date('2026-11-23T06:22:00Z'), what: 'remind' },
  })
  expect(nextStep({ dueAt, reminders: 3, remindedAt })).toEqual({
    ...{ at: new Date('2026-11-27T06:22:00Z'), what: 'suspend' },
  })
})

test('only the payment resumes what was suspended, and not what an Admin had suspended', async () => {
  const [paid, byHand] = (await inADomain(2)) as [Mailbox, Mailbox]
  const { number } = await pay([paid, byHand])
  await editMailbox(app, who, byHand.id, { status: 'suspended' })
  await untilSuspended()
  expect(await statusOf(paid)).toBe('suspended')
  await expect(editMailbox(app, who, paid.id, { status: 'active' })).rejects.toMatchObject({
    type: 'STATUS_NOT_ALLOWED',
  })
  await markInvoicePaid(app, number)
  expect([await statusOf(paid), await statusOf(byHand)]).toEqual(['active', 'suspended'])
  await editMailbox(app, who, byHand.id, { status: 'active' })
  expect(await statusOf(byHand)).toBe('active')
})

test('what is not owed any more resumes what was suspended for it', async () => {
  const [mailbox] = (await inADomain(1)) as [Mailbox]
  const { number } = await pay([mailbox])
  await untilSuspended()
  await voidInvoice(app, number)
  expect(await statusOf(mailbox)).toBe('active')
})

test('a mailbox stays suspended while another invoice for it is overdue', async () => {
  const [mailbox] = (await inADomain(1)) as [Mailbox]
  const november = await pay([mailbox])
  app.clock.set(new Date('2026-12-01T00:12:00Z'))
  await app.db
    .updateTable('mailboxes')
    .set({ status: 'inactive' })
    .where('id', '=', mailbox.id)
    .execute()
  const december = await pay([mailbox])
  await untilSuspended()
  for (const day of ['2027-01-01', '2027-01-05', '2027-01-12']) await on(day)
  await on('2027-01-20')
  await markInvoicePaid(app, november.number)
  expect(await statusOf(mailbox)).toBe('suspended')
  await markInvoicePaid(app, december.number)
  expect(await statusOf(mailbox)).toBe('active')
})

test('leaves alone what is paid, and everything with BILLING=off', async () => {
  const [one, two] = (await inADomain(2)) as [Mailbox, Mailbox]
  const { number } = await pay([one])
  await markInvoicePaid(app, number)
  await pay([two])
  await app.db.deleteFrom('outboxMessages').execute()
  app.clock.set(new Date('2026-12-24T06:22:00Z'))
  const free = await anApp({
    ...{ config: { billing: 'off' }, database: app.database, clock: app.clock },
  })
  await followUnpaid(free)
  await free.close()
  expect(await subjects()).toEqual([])
  await followUnpaid(app)
  expect(await subjects()).toHaveLength(1)
  expect((await subjects())[0]).not.toContain(number)
})
