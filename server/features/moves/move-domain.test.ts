import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Invoice } from '#contract/billing.ts'
import type { Role } from '#contract/rights.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { getInvoice, invoiceMonth, listInvoices } from '#server/features/billing/invoices.ts'
import { payForMailboxes } from '#server/features/billing/pay-for-mailboxes.ts'
import { markInvoicePaid } from '#server/features/billing/settle-invoice.ts'
import { dnsSetting } from '#server/features/checks/dns-setting.ts'
import { addDomain } from '#server/features/domains/add-domain.ts'
import { receiveMessage } from '#server/features/messages/receive-message.ts'
import { getSending } from '#server/features/sending/get-sending.ts'
import { sendMessage } from '#server/features/sending/send-message.ts'
import { newId } from '#server/lib/ids.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import {
  aDomain,
  aMailbox,
  aUser,
  aWorkspace,
  letRead,
  type Mailbox,
} from '#test-world/builders.ts'
import { stateOf } from '#test-world/database-state.ts'
import { aMember } from '#test-world/members.ts'
import { moveDomain, previewMove } from './move-domain.ts'

let app: TestApp
let who: Who
let to: string
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  who = await aMember(app)
  to = await anotherWorkspace('Admin')
})

const anotherWorkspace = async (role: Role, quota = 75_000_000_000): Promise<string> => {
  const workspace = await aWorkspace(app, { name: 'Other', storageQuotaBytes: quota })
  await join(workspace.id, who.userId, role)
  return workspace.id
}

const join = (workspaceId: string, userId: string, role: Role) =>
  app.db
    .insertInto('members')
    .values({ workspaceId, userId, role, createdAt: app.clock.now() })
    .execute()

const raw = Buffer.from(
  'From: <a@elsewhere.example>\r\nTo: <b@x.example>\r\nSubject: Hi\r\n\r\nHello\r\n',
)
const receive = (mailbox: Mailbox) =>
  receiveMessage(app, app.db, { raw, mailFrom: 'a@elsewhere.example', authentication: null }, [
    { mailboxId: mailbox.id, workspaceId: mailbox.workspaceId },
  ])

const invoicesIn = async (workspaceId: string) =>
  (await listInvoices(app, { ...who, workspaceId }, { limit: 50 })).items

const byNumber = (invoices: Invoice[]) =>
  invoices.toSorted((a, b) => a.number.localeCompare(b.number))

/** How many rows of each table carry this workspace. */
const rowsOf = async (workspaceId: string): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const { name, columns } of await app.db.introspection.getTables()) {
    if (!columns.some((column) => column.name === 'workspace_id')) continue
    const { rows } = await sql<{ count: number }>`
      select count(*) from ${sql.table(name)} where workspace_id = ${workspaceId}`.execute(app.db)
    if (rows[0]?.count) counts[name] = rows[0].count
  }
  return counts
}

/** A domain as the wizard makes it, active, with a mailbox that got a mail, answered it, and is billed. */
const aDomainInUse = async (name: string) => {
  const { _id } = await addDomain(app, who, { name })
  const domain = await app.db
    .updateTable('domains')
    .set({ isVerified: true, isActive: true, activatedAt: app.clock.now() })
    .where('id', '=', _id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const mailbox = await aMailbox(app, { domain, status: 'inactive' })
  await letRead(app, mailbox, who.userId)
  await payForMailboxes(app, who, [mailbox.id], null)
  await receive(mailbox)
  await sendMessage(app, who, mailbox.id, {
    to: ['charles@elsewhere.example'],
    cc: [],
    bcc: [],
    subject: 'Hello',
    text: 'Hello',
    attachments: [],
    draft: false,
  })
  await app.db
    .insertInto('deliveryAttempts')
    .columns(['id', 'deliveryId', 'workspaceId', 'at', 'host', 'ip', 'isTls', 'reply', 'outcome'])
    .expression((eb) =>
      eb
        .selectFrom('deliveries')
        .select((of) => [
          of.val(newId()).as('id'),
          'id as deliveryId',
          'workspaceId',
          'createdAt as at',
          of.val('mx.elsewhere.example').as('host'),
          of.val('192.0.2.1').as('ip'),
          of.val(true).as('isTls'),
          of.val('later').as('reply'),
          of.val('deferred' as const).as('outcome'),
        ])
        .where('workspaceId', '=', who.workspaceId),
    )
    .execute()
  await dnsSetting(app, who, domain.id)
  return { domain, mailbox }
}

test('everything of the domain moves, and nothing else', async () => {
  const { domain, mailbox } = await aDomainInUse('moves.example')
  const stays = await aMailbox(app, {
    domain: await aDomain(app, { workspaceId: who.workspaceId, active: true }),
  })
  await letRead(app, stays, who.userId)
  await receive(stays)
  const before = await rowsOf(who.workspaceId)
  expect(await previewMove(app, who, domain.id)).toEqual({
    mailboxes: 1,
    messages: 2,
    size: expect.any(Number),
    endingAddresses: 0,
    holders: 0,
    dueInvoices: 1,
    dueCents: 200,
    dueCurrency: 'usd',
    workspaces: [{ _id: to, name: 'Other' }],
  })

  const moved = await moveDomain(app, who, domain.id, to)

  expect(moved).toMatchObject({ _id: domain.id, name: 'moves.example', mailboxes: 1 })
  const after = await rowsOf(who.workspaceId)
  expect(after).toEqual({
    members: 1,
    access_entries: 1,
    domains: 1,
    mailboxes: 1,
    mailbox_readers: 1,
    folders: 6,
    messages: 1,
    message_texts: 1,
    message_structures: 1,
    conversations: 1,
    ...{ invoices: 2, invoice_lines: 2 },
    ...{ addresses: 1, verified_domains: 1, invoice_numbers: 2 },
  })
  const there = await rowsOf(to)
  expect(there).toMatchObject({ messages: 2, outbox_messages: 1, deliveries: 1, folders: 6 })
  expect(there).toMatchObject({ delivery_attempts: 1, domain_keys: 1, invoice_lines: 1 })
  expect(there).toMatchObject({ domain_settings: 1 })
  for (const [table, count] of Object.entries(before))
    if (
      !['members', 'access_entries', 'invoices', 'invoice_lines', 'invoice_numbers'].includes(table)
    )
      expect([table, (after[table] ?? 0) + (there[table] ?? 0)]).toEqual([table, count])
  const bill = { productName: 'Mailbox x 1', amountCents: 200, kind: 'invoice' }
  expect(await invoicesIn(to)).toMatchObject([{ ...bill, status: 'Due' }])
  const credit = { productName: 'Mailbox x 1', amountCents: -200, kind: 'credit' }
  expect(byNumber(await invoicesIn(who.workspaceId))).toMatchObject([
    { ...bill, status: 'Credited' },
    { ...credit, status: 'Credited' },
  ])
  expect(await invoiceMonth(app)).toBe(1)
  expect(await invoicesIn(to)).toHaveLength(1)
  expect(mailbox.workspaceId).not.toBe(to)
})

test('an open bill that is also about others is credited in part; a paid one stays', async () => {
  const [goes, stays] = [
    await aDomain(app, { workspaceId: who.workspaceId, active: true }),
    await aDomain(app, { workspaceId: who.workspaceId, active: true }),
  ]
  const boxes = await Promise.all(
    [goes, goes, stays].map((domain) => aMailbox(app, { domain, status: 'inactive' })),
  )
  const paid = await aMailbox(app, { domain: goes, status: 'inactive' })
  const { number } = await payForMailboxes(app, who, [paid.id], null)
  await markInvoicePaid(app, number)
  app.clock.advance({ hours: 1 })
  const open = await payForMailboxes(
    app,
    who,
    boxes.map(({ id }) => id),
    null,
  )
  const before = await getInvoice(app, who, open._id)
  expect(await previewMove(app, who, goes.id)).toMatchObject({ dueInvoices: 1, dueCents: 400 })

  await moveDomain(app, who, goes.id, to)

  expect(byNumber(await invoicesIn(who.workspaceId))).toMatchObject([
    { number, amountCents: 200, status: 'Paid' },
    { number: open.number, productName: 'Mailbox x 3', amountCents: 600, status: 'Due' },
    { kind: 'credit', productName: 'Mailbox x 2', amountCents: -400, status: 'Credited' },
  ])
  const after = await getInvoice(app, who, open._id)
  const [credit] = after.credits
  expect(after).toEqual({ ...before, openCents: 200, credits: [credit] })
  expect(await getInvoice(app, who, credit?._id ?? '')).toMatchObject({
    corrects: { _id: open._id, number: open.number },
    lines: [{ domain: goes.name, quantity: -2, unitCents: 200, amountCents: -400 }],
    note: expect.stringContaining(goes.name),
  })
  const [taken] = await invoicesIn(to)
  const theirs = { ...who, workspaceId: to }
  expect(await getInvoice(app, theirs, taken?._id ?? '')).toMatchObject({
    ...{ productName: 'Mailbox x 2', amountCents: 400, status: 'Due', openCents: 400 },
    lines: [{ domain: goes.name, quantity: 2, unitCents: 200, amountCents: 400 }],
    note: expect.stringContaining(open.number),
  })
  // The month is billed in full on both sides.
  expect(await invoiceMonth(app)).toBe(0)
})

test('a domain that comes and goes is credited once each time', async () => {
  const { domain } = await aDomainInUse('to-and-fro.example')
  const there = { ...who, workspaceId: to }
  await moveDomain(app, who, domain.id, to)
  await moveDomain(app, there, domain.id, who.workspaceId)
  expect(await previewMove(app, who, domain.id)).toMatchObject({ dueInvoices: 1, dueCents: 200 })
  await moveDomain(app, who, domain.id, to)
  const sums = (await invoicesIn(who.workspaceId)).map(({ amountCents }) => amountCents)
  expect(sums.sort()).toEqual([-200, -200, 200, 200])
  expect(byNumber(await invoicesIn(to))).toMatchObject([
    { amountCents: 200, status: 'Credited' },
    { amountCents: -200, status: 'Credited' },
    { amountCents: 200, status: 'Due' },
  ])
})

test('only those who are in the other workspace may still read the mail', async () => {
  const domain = await aDomain(app, { workspaceId: who.workspaceId, active: true })
  const mailbox = await aMailbox(app, { domain })
  const [member, stranger] = [await aUser(app), await aUser(app)]
  for (const { id } of [member, stranger]) {
    await join(who.workspaceId, id, 'User')
    await letRead(app, mailbox, id)
  }
  await join(to, member.id, 'User')
  await moveDomain(app, who, domain.id, to)
  const readers = await app.db
    .selectFrom('mailboxReaders')
    .select(['userId', 'workspaceId'])
    .where('mailboxId', '=', mailbox.id)
    .execute()
  expect(readers).toEqual([{ userId: member.id, workspaceId: to }])
})

test('an established domain keeps its sending limits in a new workspace', async () => {
  const { domain, mailbox } = await aDomainInUse('established.example')
  app.clock.advance({ days: 4 })
  const fresh = await anotherWorkspace('Admin')
  await moveDomain(app, who, domain.id, fresh)
  const admin = { ...who, workspaceId: fresh }
  expect(await getSending(app, admin, mailbox.id)).toMatchObject({
    ...{ isRamping: false, fullAt: null, together: null },
    dailyLimit: app.config.sendLimit,
  })
  // A domain that is as new as the workspace has the limits of the first day.
  const young = await aDomain(app, { workspaceId: fresh, active: true })
  const another = await aMailbox(app, { domain: young })
  expect(await getSending(app, admin, another.id)).toMatchObject({
    isRamping: true,
    dailyLimit: app.config.sendLimit / 5,
  })
})

test('mail that arrives while the domain moves is lost nowhere', async () => {
  const domain = await aDomain(app, { workspaceId: who.workspaceId, active: true })
  const mailbox = await aMailbox(app, { domain })
  await Promise.all([
    ...Array.from({ length: 12 }, () => receive(mailbox)),
    moveDomain(app, who, domain.id, to),
    ...Array.from({ length: 12 }, () => receive(mailbox)),
  ])
  expect(await rowsOf(to)).toMatchObject({ messages: 24, mailboxes: 1, domains: 1 })
  expect(await rowsOf(who.workspaceId)).toEqual({ members: 1, access_entries: 1 })
})

test('two moves at once: one of them finds nothing', async () => {
  const domain = await aDomain(app, { workspaceId: who.workspaceId, active: true })
  const third = await anotherWorkspace('Admin')
  const outcomes = await Promise.allSettled([
    moveDomain(app, who, domain.id, to),
    moveDomain(app, who, domain.id, third),
  ])
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { type: 'NOT_EXISTS' },
  })
})

describe('is refused, and changes nothing,', () => {
  const refused = async (domainId: string, target: string, error: object) => {
    const before = await stateOf(app.db)
    await expect(moveDomain(app, who, domainId, target)).rejects.toMatchObject(error)
    expect(await stateOf(app.db)).toBe(before)
  }
  const ours = () => aDomain(app, { workspaceId: who.workspaceId, active: true })

  test('by whoever is not Admin of both', async () => {
    const domain = await ours()
    const editors = await anotherWorkspace('Editor')
    await refused(domain.id, editors, { type: 'FORBIDDEN' })
    expect((await previewMove(app, who, domain.id)).workspaces).toEqual([
      { _id: to, name: 'Other' },
    ])
    await app.db
      .updateTable('members')
      .set({ role: 'Editor' })
      .where('workspaceId', '=', who.workspaceId)
      .execute()
    await refused(domain.id, to, { type: 'FORBIDDEN' })
  })

  test('for foreign, random and malformed ids', async () => {
    const domain = await ours()
    const foreign = await aDomain(app)
    for (const id of [foreign.id, newId(), 'x']) await refused(id, to, { type: 'NOT_EXISTS' })
    for (const id of [foreign.workspaceId, newId(), 'x'])
      await refused(domain.id, id, { type: 'NOT_EXISTS' })
  })

  test('where it is already, or one of that name', async () => {
    const domain = await ours()
    await refused(domain.id, who.workspaceId, {
      data: { workspaceId: 'The domain is in this workspace already' },
    })
    await aDomain(app, { workspaceId: to, name: domain.name })
    await refused(domain.id, to, { type: 'DOMAIN_EXISTS' })
  })

  test('where there is no room for its mail', async () => {
    const domain = await ours()
    const mailbox = await aMailbox(app, { domain })
    await receive(mailbox)
    const full = await anotherWorkspace('Admin', 50)
    await refused(domain.id, full, { type: 'STORAGE_FULL' })
  })
})
