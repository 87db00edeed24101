import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Who } from '#server/features/accounts/who.ts'
import { listDomains } from '#server/features/domains/find-domain.ts'
import { addAlias, listAliases, setCatchAll } from '#server/features/mailboxes/aliases.ts'
import { findRecipient } from '#server/features/mailboxes/find-recipient.ts'
import { newId } from '#server/lib/ids.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox, aWorkspace, type Domain, type Mailbox } from '#test-world/builders.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { moveDomain, previewMove } from './move-domain.ts'

let app: TestApp
let who: Who
let there: Who
let goes: Domain
let stays: Domain
let ada: Mailbox
let grace: Mailbox
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  who = await aMember(app)
  const { id: workspaceId } = await aWorkspace(app)
  await app.db
    .insertInto('members')
    .values({ workspaceId, userId: who.userId, role: 'Admin', createdAt: app.clock.now() })
    .execute()
  there = { ...who, workspaceId }
  goes = await anActiveDomain(app, who)
  stays = await anActiveDomain(app, who)
  ada = await aMailbox(app, { domain: goes, localPart: 'ada' })
  grace = await aMailbox(app, { domain: stays, localPart: 'grace' })
})

const alias = (mailbox: Mailbox, local: string, domain: Domain, as = who) =>
  addAlias(app, as, mailbox.id, { email: `${local}@${domain.name}` })
const reached = async (local: string, domain: Domain) => {
  const found = await findRecipient(app, `${local}@${domain.name}`)
  return found.kind === 'mailbox' ? [found.mailboxId, found.workspaceId] : found.kind
}
const emailsOf = async (as: Who, mailbox: Mailbox) =>
  (await listAliases(app, as, mailbox.id)).map(({ email }) => email)
const catchAllsOf = async (as: Who) =>
  (await listDomains(app, as)).map(({ name, catchAll }) => [name, catchAll?.email ?? null])

test('aliases and a catch-all within the domain move with it', async () => {
  await alias(ada, 'countess', goes)
  await alias(grace, 'hopper', stays)
  await setCatchAll(app, who, goes.id, ada.id)
  await setCatchAll(app, who, stays.id, grace.id)
  expect((await previewMove(app, who, goes.id)).endingAddresses).toBe(0)
  await moveDomain(app, who, goes.id, there.workspaceId)
  expect(await emailsOf(there, ada)).toEqual([`countess@${goes.name}`])
  expect(await catchAllsOf(there)).toEqual([[goes.name, ada.email]])
  for (const local of ['countess', 'nobody'])
    expect(await reached(local, goes)).toEqual([ada.id, there.workspaceId])
  expect(await emailsOf(who, grace)).toEqual([`hopper@${stays.name}`])
  expect(await catchAllsOf(who)).toEqual([[stays.name, grace.email]])
})

test('what ties it to mailboxes that stay ends, both ways, and is told before', async () => {
  await alias(ada, 'countess', stays)
  await alias(grace, 'hopper', goes)
  await setCatchAll(app, who, goes.id, grace.id)
  await setCatchAll(app, who, stays.id, ada.id)
  expect((await previewMove(app, who, goes.id)).endingAddresses).toBe(4)
  expect((await previewMove(app, who, stays.id)).endingAddresses).toBe(4)
  await moveDomain(app, who, goes.id, there.workspaceId)
  expect(await emailsOf(there, ada)).toEqual([])
  expect(await emailsOf(who, grace)).toEqual([])
  expect(await catchAllsOf(there)).toEqual([[goes.name, null]])
  expect(await catchAllsOf(who)).toEqual([[stays.name, null]])
  for (const [local, domain] of [
    ['countess', stays],
    ['hopper', goes],
    ['nobody', goes],
    ['nobody', stays],
  ] as const)
    expect(await reached(local, domain)).toBe('unknown')
})

test('an alias or a catch-all that is set while the domain moves ties no workspaces together', async () => {
  for (let round = 0; round < 8; round++) {
    const domain = await anActiveDomain(app, who)
    const box = await aMailbox(app, { domain })
    const outcomes = await Promise.allSettled([
      alias(grace, `a${round}`, domain),
      alias(box, `b${round}`, stays),
      moveDomain(app, who, domain.id, there.workspaceId),
      setCatchAll(app, who, domain.id, grace.id),
      setCatchAll(app, who, stays.id, box.id),
    ])
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toHaveProperty('type')
  }
  for (const table of ['aliases', 'catchAlls'] as const) {
    const torn = await app.db
      .selectFrom(table)
      .innerJoin('domains', 'domains.id', `${table}.domainId`)
      .innerJoin('mailboxes', 'mailboxes.id', `${table}.mailboxId`)
      .select(`${table}.mailboxId`)
      .where((eb) =>
        eb.or([
          eb('domains.workspaceId', '!=', eb.ref(`${table}.workspaceId`)),
          eb('mailboxes.workspaceId', '!=', eb.ref(`${table}.workspaceId`)),
        ]),
      )
      .execute()
    expect(torn).toEqual([])
  }
})

test('a mailbox that had an address of the domain stays with what it had then', async () => {
  const { workspaceId } = who
  const formerly = { mailboxEmail: `grace@${goes.name}`, workspaceId, at: app.clock.now() }
  const entry = { ...formerly, kind: 'given' as const, actor: '', subject: '', reason: '' }
  const [kept, ended] = [newId(), newId()]
  await app.db
    .insertInto('accessEntries')
    .values([
      { ...entry, id: kept, mailboxId: grace.id },
      { ...entry, id: ended, mailboxId: null },
    ])
    .execute()
  const tested = { recipient: 'a@elsewhere.example', messageId: 'a@b', outboxMessageId: newId() }
  await app.db
    .insertInto('testMails')
    .values({
      ...{ ...tested, workspaceId, domainId: goes.id, mailboxId: grace.id },
      ...{ sentAt: app.clock.now(), answeredAt: null, answerResults: null },
    })
    .execute()
  await moveDomain(app, who, goes.id, there.workspaceId)
  const entries = await app.db
    .selectFrom('accessEntries')
    .select(['id', 'workspaceId'])
    .where('id', 'in', [kept, ended])
    .execute()
  expect(new Map(entries.map(({ id, workspaceId: at }) => [id, at]))).toEqual(
    new Map([
      [kept, workspaceId],
      [ended, there.workspaceId],
    ]),
  )
  const tests = app.db.selectFrom('testMails').select('domainId')
  expect(await tests.where('domainId', '=', goes.id).execute()).toEqual([])
})
