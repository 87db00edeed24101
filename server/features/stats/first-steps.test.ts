import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isFinished } from '#contract/first-steps.ts'
import { ACCESS_LINK_DAYS } from '#contract/mail/access.ts'
import type { Role } from '#contract/rights.ts'
import { issueInvoice } from '#server/features/billing/issue-invoice.ts'
import { markInvoicePaid } from '#server/features/billing/settle-invoice.ts'
import { makeLinks } from '#server/features/mailboxes/access/access-links.ts'
import { DAY_MS } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox, aUser, type Domain, letRead, type Mailbox } from '#test-world/builders.ts'
import { aMessage } from '#test-world/details.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { getDomainSteps, getFirstSteps, markWorksSeen } from './first-steps.ts'

let app: TestApp
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())

const moveReceiving = async (domain: Domain, host = app.config.mailHost) => {
  const mx = JSON.stringify([{ host, priority: 10 }])
  const { id: domainId, workspaceId } = domain
  await app.db.deleteFrom('domainSettings').where('domainId', '=', domainId).execute()
  await app.db
    .insertInto('domainSettings')
    .values({
      ...{ domainId, workspaceId, mx, zone: domain.name, nameServers: '[]' },
      ...{ spf: null, ourSpf: '[]', dmarc: null, checkedAt: app.clock.now() },
    })
    .execute()
}

const mailComes = async (mailbox: Mailbox, at: Date, byItsServer = true) => {
  await aMessage(app, mailbox, { date: at, uid: at.getTime() % 1_000_000 })
  if (byItsServer)
    await sql`update messages set authentication = '{}' where mailbox_id = ${mailbox.id}`.execute(
      app.db,
    )
}

const mailGoes = async (
  mailbox: Mailbox,
  recipientDomain: string,
  status: 'delivered' | 'failed',
) => {
  const at = app.clock.now()
  const outboxMessageId = newId()
  const { workspaceId } = mailbox
  await app.db
    .insertInto('outboxMessages')
    .values({
      ...{ id: outboxMessageId, workspaceId, mailboxId: mailbox.id, mailFrom: '' },
      ...{ blob: 'a'.repeat(64), sizeBytes: 1, isHeld: false, createdAt: at },
    })
    .execute()
  await app.db
    .insertInto('deliveries')
    .values({
      ...{ id: newId(), outboxMessageId, workspaceId, recipient: `x@${recipientDomain}` },
      ...{ recipientDomain, status, nextAttemptAt: at, claimedBy: null },
      ...{ createdAt: at, finishedAt: at },
    })
    .execute()
}

it('is finished when mail came and went, and not a step before', async () => {
  const who = await aMember(app)
  const domain = await anActiveDomain(app, who)
  const steps = () => getDomainSteps(app, who, domain.id)
  const unfinished = async () => (await getFirstSteps(app, who)).total
  expect(await steps()).toMatchObject({
    ...{ mailTo: null, isMailOurs: false, mailboxes: 0, inUse: 0, unpaid: 0 },
    ...{ cameAt: null, wentAt: null },
  })
  // No server receives its mail, so it is named although nobody uses it.
  expect(await unfinished()).toBe(1)
  await moveReceiving(domain, 'mx1.oldprovider.example')
  expect(await unfinished()).toBe(0)

  const mailbox = await aMailbox(app, { domain, status: 'inactive' })
  expect(await steps()).toMatchObject({ unpaid: 1, mailboxes: 0, isMailOurs: false })
  expect((await steps()).mailTo).toContain('oldprovider.example')
  expect(await unfinished()).toBe(1)
  await app.db
    .updateTable('mailboxes')
    .set({ status: 'active' })
    .where('id', '=', mailbox.id)
    .execute()
  await moveReceiving(domain)
  expect(await steps()).toMatchObject({ isMailOurs: true, unpaid: 0, mailboxes: 1, inUse: 0 })
  const [maker, reader] = [await aUser(app), await aUser(app)]
  await letRead(app, mailbox, maker.id)
  expect(await steps()).toMatchObject({ inUse: 0, linksOut: 0 })
  await makeLinks(app, who, [{ mailboxId: mailbox.id }])
  expect(await steps()).toMatchObject({ inUse: 0, linksOut: 1 })
  app.clock.advance({ days: ACCESS_LINK_DAYS })
  expect(await steps()).toMatchObject({ inUse: 0, linksOut: 0 })
  await makeLinks(app, who, [{ mailboxId: mailbox.id }])
  await letRead(app, mailbox, reader.id, 'given')
  expect(await steps()).toMatchObject({ inUse: 1, linksOut: 0 })

  // Mail between the workspace's own mailboxes, and mail that failed, show nothing.
  await mailGoes(mailbox, domain.name, 'delivered')
  await mailGoes(mailbox, 'elsewhere.example', 'failed')
  await mailComes(mailbox, app.clock.now(), false)
  expect(await steps()).toMatchObject({ cameAt: null, wentAt: null })
  await mailGoes(mailbox, 'elsewhere.example', 'delivered')
  await mailComes(mailbox, new Date(app.clock.now().getTime() + 1))
  const done = await steps()
  expect(done.cameAt).not.toBeNull()
  expect(done.wentAt).not.toBeNull()
  expect(isFinished(done)).toBe(true)
  expect(await unfinished()).toBe(0)

  // Said until somebody has read it, and to nobody else.
  const working = async () => (await getFirstSteps(app, who)).working.map(({ _id }) => _id)
  expect(await working()).toEqual([domain.id])
  const stranger = await aMember(app)
  await expect(markWorksSeen(app, stranger, domain.id)).rejects.toMatchObject({
    type: 'NOT_EXISTS',
  })
  expect(await working()).toEqual([domain.id])
  await markWorksSeen(app, who, domain.id)
  expect(await working()).toEqual([])
  expect(await steps()).toEqual({ ...done, worksSeen: true })

  // It stays known when the mail is gone.
  await sql`delete from messages where mailbox_id = ${mailbox.id}`.execute(app.db)
  await sql`delete from outbox_messages where mailbox_id = ${mailbox.id}`.execute(app.db)
  expect(await steps()).toEqual({ ...done, worksSeen: true })
})

it('names who receives mail after the move, and whether the rest is refused', async () => {
  const who = await aMember(app)
  const domain = await anActiveDomain(app, who)
  for (const localPart of ['d', 'c', 'b', 'a']) await aMailbox(app, { domain, localPart })
  await aMailbox(app, { domain, localPart: '0', status: 'inactive' })
  const steps = () => getDomainSteps(app, who, domain.id)
  const addresses = ['a', 'b', 'c'].map((local) => `${local}@${domain.name}`)
  expect(await steps()).toMatchObject({ addresses, hasCatchAll: false, mailboxes: 4 })
  const { id: mailboxId } = await aMailbox(app, { domain })
  const { workspaceId } = who
  await app.db
    .insertInto('catchAlls')
    .values({ domainId: domain.id, workspaceId, mailboxId })
    .execute()
  expect(await steps()).toMatchObject({ hasCatchAll: true })
})

it('tells the limits of the first days while they hold, as the youngest active domain has them', async () => {
  const who = await aMember(app)
  const firstDays = async () => (await getFirstSteps(app, who)).firstDays
  expect(await firstDays()).toBeNull()
  const domain = await anActiveDomain(app, who)
  const until = new Date(app.clock.now().getTime() + 3 * DAY_MS).toISOString()
  expect(await firstDays()).toEqual({ recipients: 100, newRecipients: 20, until })
  // An established domain keeps its limits in a new workspace.
  const before = new Date(app.clock.now().getTime() - 30 * DAY_MS)
  await app.db
    .updateTable('domains')
    .set({ createdAt: before })
    .where('id', '=', domain.id)
    .execute()
  expect(await firstDays()).toBeNull()
})

it('names what is due to those who may pay, until it is paid', async () => {
  const who = await aMember(app)
  const dues = async (role: Role) => (await getFirstSteps(app, { ...who, role })).dues
  expect(await dues('Admin')).toBeNull()
  const numbers: string[] = []
  for (const email of ['a@x.example', 'b@x.example'])
    numbers.push(
      (await issueInvoice(app, app.db, who.workspaceId, [{ id: newId(), email }])).number,
    )
  expect(await dues('Admin')).toEqual({ count: 2, amountCents: 400, currency: 'usd' })
  expect(await dues('Editor')).toBeNull()
  for (const number of numbers) await markInvoicePaid(app, number)
  expect(await dues('Admin')).toBeNull()
})

it('knows nothing of the domains of others', async () => {
  const [who, other] = [await aMember(app), await aMember(app)]
  const domain = await anActiveDomain(app, other)
  await aMailbox(app, { domain })
  const nothing = { items: [], working: [], total: 0, firstDays: null, dues: null }
  expect(await getFirstSteps(app, who)).toEqual(nothing)
  for (const id of [domain.id, newId(), 'x'])
    await expect(getDomainSteps(app, who, id)).rejects.toMatchObject({ type: 'NOT_EXISTS' })
})
