/** Fourteen days between deleting and the end: mail comes, everything can come back, and then nothing is left. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Role } from '#contract/rights.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { invoiceMonth } from '#server/features/billing/invoices.ts'
import { recheckDueDomains } from '#server/features/checks/recheck-due-domains.ts'
import { addDomain } from '#server/features/domains/add-domain.ts'
import { addManyDomains } from '#server/features/domains/add-many-domains.ts'
import { listDomains } from '#server/features/domains/find-domain.ts'
import { addAlias, listAliases, setCatchAll } from '#server/features/mailboxes/aliases.ts'
import { createMailbox } from '#server/features/mailboxes/edit-mailbox.ts'
import { getMailbox, listMailboxes } from '#server/features/mailboxes/read-mailboxes.ts'
import { listMessages } from '#server/features/messages/list-messages.ts'
import { listHeldMails } from '#server/features/outbox/held-mails.ts'
import { sendMessage } from '#server/features/sending/send-message.ts'
import { getStats } from '#server/features/stats/stats.ts'
import { openInbound } from '#server/mail/inbound/listener.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { linesBySystem } from '#test-world/audit-lines.ts'
import { aMailbox, aUser, type Domain, letRead, type Mailbox } from '#test-world/builders.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { moveDomain } from '../moves/move-domain.ts'
import { deleteDomainLater, deleteMailboxLater, deleteManyDomains } from './delete-later.ts'
import { endDeleted, endDueDeletions } from './end-deleted.ts'
import { mailDeletions } from './mail-deletions.ts'
import { previewDomain, previewMailbox } from './preview-deletion.ts'
import { listDeleted, restoreDeleted } from './restore.ts'

let app: TestApp
let inbound: Awaited<ReturnType<typeof openInbound>>
let who: Who
let domain: Domain
let ada: Mailbox
beforeAll(async () => {
  app = await anApp()
  inbound = await openInbound(app)
})
afterAll(async () => {
  await inbound.close()
  await app.close()
})
beforeEach(async () => {
  who = await aMember(app)
  domain = await anActiveDomain(app, who)
  ada = await aMailbox(app, { domain, localPart: 'ada' })
  await letRead(app, ada, who.userId)
  expect(await deliver('ada')).toMatch(/^250 /)
})

const raw = 'From: Eve <eve@example.net>\r\nSubject: Hello\r\n\r\nHello\r\n'
const deliver = (local: string, at = domain) =>
  sendMail(inbound.port, { to: [`${local}@${at.name}`], raw })
const page = { limit: 50 }
const emails = async (readable?: 'true', as = who) =>
  (await listMailboxes(app, as, { ...page, readable })).items.map(({ email }) => email)
const waiting = async (as = who) =>
  (await listDeleted(app, as, page)).items.map(({ kind, name }) => [kind, name])
const inboxOf = async (mailbox: Mailbox) =>
  (await listMessages(app, who, mailbox.id, { ...page, folder: 'inbox' })).items.length
const aColleague = async (role: Role): Promise<Who> => {
  const { id: userId } = await aUser(app)
  const { workspaceId } = who
  await app.db
    .insertInto('members')
    .values({ workspaceId, userId, role, createdAt: app.clock.now() })
    .execute()
  return { ...who, userId, role }
}
const write = () =>
  sendMessage(app, who, ada.id, {
    ...{ to: ['charles@elsewhere.example'], cc: [], bcc: [], subject: 'Hi', text: 'Hi' },
    ...{ attachments: [], draft: false },
  })
/** Every row of the workspace but for what tells of a deletion. */
const rowsOf = async ({ workspaceId }: Who) => {
  const rows: Record<string, unknown> = {}
  for (const table of ['domains', 'mailboxes', 'aliases', 'catchAlls', 'domainKeys'] as const)
    rows[table] = await app.db
      .selectFrom(table)
      .selectAll()
      .where('workspaceId', '=', workspaceId)
      .execute()
  rows.readers = await app.db
    .selectFrom('mailboxReaders')
    .selectAll()
    .where('workspaceId', '=', workspaceId)
    .execute()
  return rows
}

describe('a deleted mailbox', () => {
  test('is gone from the list, takes mail, can be read but sends nothing, and ends after thirty days', async () => {
    await write()
    await deleteMailboxLater(app, who, ada.id)
    expect(await emails()).toEqual([])
    expect(await emails('true')).toEqual([ada.email])
    await expect(getMailbox(app, who, ada.id)).rejects.toMatchObject({ type: 'NOT_EXISTS' })
    await expect(deleteMailboxLater(app, who, ada.id)).rejects.toMatchObject({ type: 'NOT_EXISTS' })
    expect(await waiting()).toEqual([['mailbox', ada.email]])
    app.clock.advance({ days: 29, hours: 23 })
    await endDueDeletions(app)
    expect(await deliver('ada')).toMatch(/^250 /)
    expect(await inboxOf(ada)).toBe(2)
    await expect(write()).rejects.toMatchObject({ type: 'MAILBOX_DELETED' })
    app.clock.advance({ hours: 1 })
    await endDueDeletions(app)
    expect(await deliver('ada')).toMatch(/^550 5\.1\.1 /)
    expect(await waiting()).toEqual([])
    expect(await linesBySystem(app, who)).toEqual([['mailboxEnded', ada.email]])
    await expect(restoreDeleted(app, who, ada.id)).rejects.toMatchObject({ type: 'NOT_EXISTS' })
    expect(
      await app.db.selectFrom('messages').select('id').where('mailboxId', '=', ada.id).execute(),
    ).toEqual([])
  })

  test('comes back as it was, with aliases, catch-all and readers', async () => {
    await addAlias(app, who, ada.id, { email: `countess@${domain.name}` })
    await setCatchAll(app, who, domain.id, ada.id)
    const before = await rowsOf(who)
    await deleteMailboxLater(app, who, ada.id)
    for (const local of ['countess', 'nobody']) expect(await deliver(local)).toMatch(/^250 /)
    expect(await restoreDeleted(app, who, ada.id)).toBe(ada.email)
    expect({ ...(await rowsOf(who)), mailboxes: [] }).toEqual({ ...before, mailboxes: [] })
    expect(await emails()).toEqual([ada.email])
    expect(await inboxOf(ada)).toBe(3)
    await write()
  })

  test('that nobody used ends at once, so that its address is free', async () => {
    const form = {
      firstName: 'Bob',
      lastName: 'Boole',
      email: `bob@${domain.name}`,
      domain: domain.name,
    }
    for (const _ of [1, 2]) {
      const { _id } = await createMailbox(app, who, form)
      expect(await previewMailbox(app, who, _id)).toMatchObject({ endsAt: null, messages: 0 })
      await deleteMailboxLater(app, who, _id)
      expect(await waiting()).toEqual([])
    }
  })

  test('keeps its address until it is taken back or ended now, which an Admin does by its name', async () => {
    const again = () =>
      createMailbox(app, who, {
        ...{ firstName: 'Ada', lastName: 'King', email: ada.email, domain: domain.name },
      })
    await deleteMailboxLater(app, who, ada.id)
    const field = { email: expect.stringContaining(`${ada.email} was deleted and ends on`) }
    await expect(again()).rejects.toMatchObject({ type: 'VALIDATION', data: field })
    await expect(endDeleted(app, who, ada.id, 'ada')).rejects.toMatchObject({ type: 'VALIDATION' })
    await endDeleted(app, who, ada.id, ada.email.toUpperCase())
    const { _id } = await again()
    expect(await getMailbox(app, who, _id)).toMatchObject({ email: ada.email })
  })

  test('is counted nowhere and not billed, but keeps its storage; no place for it, no way back', async () => {
    const small = { ...app, config: { ...app.config, domainMailboxLimit: 1 } }
    await deleteMailboxLater(app, who, ada.id)
    expect((await getStats(app, who)).mailboxes).toMatchObject({ total: 0, active: 0 })
    expect((await getStats(app, who)).storage.usedBytes).toBeGreaterThan(0)
    await invoiceMonth(app)
    expect(
      await app.db
        .selectFrom('invoices')
        .select('id')
        .where('workspaceId', '=', who.workspaceId)
        .execute(),
    ).toEqual([])
    await createMailbox(small, who, {
      ...{ firstName: 'Bob', lastName: 'Boole', email: `bob@${domain.name}`, domain: domain.name },
    })
    await expect(restoreDeleted(small, who, ada.id)).rejects.toMatchObject({
      type: 'MAILBOX_LIMIT',
    })
    await restoreDeleted(app, who, ada.id)
    expect((await getStats(app, who)).mailboxes.total).toBe(2)
  })

  test('with a reader or a holder is deleted by Admins alone', async () => {
    const editor = await aColleague('Editor')
    const shared = await aMailbox(app, { domain })
    await letRead(app, shared, (await aColleague('User')).userId, 'given')
    expect(await previewMailbox(app, editor, shared.id)).toMatchObject({
      mayDelete: false,
      people: 1,
    })
    await expect(deleteMailboxLater(app, editor, shared.id)).rejects.toMatchObject({
      ...{ type: 'FORBIDDEN', message: expect.stringContaining('Only an Admin') },
    })
    await deleteMailboxLater(app, editor, ada.id)
    await restoreDeleted(app, editor, ada.id)
    await expect(endDeleted(app, editor, ada.id, ada.email)).rejects.toMatchObject({
      type: 'FORBIDDEN',
    })
    await deleteMailboxLater(app, who, shared.id)
    expect(await waiting()).toEqual([['mailbox', shared.email]])
  })
})

describe('a deleted domain', () => {
  test('goes with its mailboxes, takes mail until its end, and is refused afterwards', async () => {
    expect(await previewDomain(app, who, domain.id)).toMatchObject({
      ...{ name: domain.name, mailboxes: 1, messages: 1 },
      endsAt: new Date(app.clock.now().getTime() + 14 * 86_400_000).toISOString(),
    })
    await deleteDomainLater(app, who, domain.id)
    expect(await listDomains(app, who)).toEqual([])
    expect(await emails()).toEqual([])
    expect((await getStats(app, who)).domains.total).toBe(0)
    expect(await waiting()).toEqual([['domain', domain.name]])
    expect(await deliver('ada')).toMatch(/^250 /)
    expect(await inboxOf(ada)).toBe(2)
    await expect(write()).rejects.toMatchObject({ type: 'MAILBOX_DELETED' })
    app.clock.advance({ days: 14 })
    await endDueDeletions(app)
    expect(await deliver('ada')).toMatch(/^550 /)
    expect(await linesBySystem(app, who)).toEqual([['domainEnded', domain.name]])
    expect(await rowsOf(who)).toEqual({
      ...{ domains: [], mailboxes: [], aliases: [], catchAlls: [], domainKeys: [], readers: [] },
    })
  })

  test('comes back with keys, aliases, catch-all and readers; a mailbox deleted before it stays deleted', async () => {
    const bob = await aMailbox(app, { domain, localPart: 'bob' })
    await deliver('bob')
    await addAlias(app, who, ada.id, { email: `countess@${domain.name}` })
    await setCatchAll(app, who, domain.id, ada.id)
    await deleteMailboxLater(app, who, bob.id)
    const before = await rowsOf(who)
    await deleteDomainLater(app, who, domain.id)
    await expect(restoreDeleted(app, who, bob.id)).rejects.toMatchObject({
      ...{ type: 'NOT_EXISTS', message: expect.stringContaining('Take the domain back first') },
    })
    expect(await restoreDeleted(app, who, domain.id)).toBe(domain.name)
    expect(await rowsOf(who)).toEqual(before)
    expect(await emails()).toEqual([ada.email])
    expect((await listAliases(app, who, ada.id)).length).toBe(1)
    expect(await waiting()).toEqual([['mailbox', bob.email]])
  })

  test('tells the Admins who did it, when it ends and where to take it back; many by one mail', async () => {
    const other = await anActiveDomain(app, who)
    const third = await anActiveDomain(app, who)
    const [fourth, fifth] = [await anActiveDomain(app, who), await anActiveDomain(app, who)]
    await aMailbox(app, { domain: third })
    const colleague = await aColleague('Admin')
    const of = (userId: string) =>
      app.db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow()
    const told = await of(colleague.userId)
    const mails = async () => (await listHeldMails(app)).filter(({ to }) => to === told.email)
    await deleteDomainLater(app, who, domain.id)
    const [mail] = await mails()
    expect(mail).toMatchObject({ subject: `${domain.name} was deleted` })
    expect(mail?.text).toContain((await of(who.userId)).email)
    expect(mail?.text).toContain('with 1 mailbox')
    expect(mail?.link).toBe('http://localhost:8080/dashboard/domains')
    const rows = await deleteManyDomains(app, who, [other.id, third.id, domain.id])
    expect(rows.map(({ isDone }) => isDone)).toEqual([true, true, false])
    const subjects = async () => (await mails()).map(({ subject }) => subject).toSorted()
    expect(app.logged('right-changed').at(-1)).toMatchObject({ what: 'domain', change: 'deleted' })
    // Written by a loop from what each transaction left, so a process that ends between two of them loses none.
    app.clock.advance({ seconds: 20 })
    await deleteManyDomains(app, who, [fourth.id, fifth.id])
    await restoreDeleted(app, who, fifth.id)
    app.clock.advance({ seconds: 29 })
    await mailDeletions(app)
    expect(await subjects()).toEqual([`${domain.name} was deleted`])
    app.clock.advance({ seconds: 1 })
    await Promise.all([mailDeletions(app), mailDeletions(app)])
    expect(await subjects()).toEqual(['3 domains were deleted', `${domain.name} was deleted`])
    const many = (await mails()).find(({ subject }) => subject.startsWith('3'))
    expect(many?.text).toContain('3 domains, with 1 mailbox.')
    expect(many?.text).not.toContain(fifth.name)
    await mailDeletions(app)
    expect(await subjects()).toHaveLength(2)
    // One that ends now is told before.
    await deleteManyDomains(app, who, [fifth.id])
    await endDeleted(app, who, fifth.id, fifth.name)
    expect(await subjects()).toContain(`${fifth.name} was deleted`)
  })

  test('nobody keeps the deletion of one untold by deleting another one again and again', async () => {
    const other = await anActiveDomain(app, who)
    const colleague = await aColleague('Admin')
    const { email } = await app.db
      .selectFrom('users')
      .select('email')
      .where('id', '=', colleague.userId)
      .executeTakeFirstOrThrow()
    await deleteManyDomains(app, who, [domain.id])
    for (let times = 0; times < 31; times++) {
      await deleteManyDomains(app, who, [other.id])
      app.clock.advance({ seconds: 20 })
      await mailDeletions(app)
      if (times < 30) await restoreDeleted(app, who, other.id)
    }
    const [mail] = (await listHeldMails(app)).filter(({ to }) => to === email)
    expect(mail?.text).toContain(domain.name)
  })

  test('keeps its name; that of one that was not proven is free at once', async () => {
    await deleteDomainLater(app, who, domain.id)
    const refusal = expect.stringContaining(`${domain.name} was deleted and ends on`)
    await expect(addDomain(app, who, { name: domain.name })).rejects.toMatchObject({
      ...{ type: 'VALIDATION', data: { name: refusal } },
    })
    expect(await addManyDomains(app, who, { names: [domain.name], mode: 'good' })).toMatchObject([
      { outcome: 'refused', message: refusal },
    ])
    await endDeleted(app, who, domain.id, domain.name)
    const { _id } = await addDomain(app, who, { name: domain.name })
    await deleteDomainLater(app, who, _id)
    expect(await waiting()).toEqual([])
    await addDomain(app, who, { name: domain.name })
  })

  test('is not looked up, moved or changed meanwhile', async () => {
    const target = await aMember(app)
    await app.db
      .insertInto('members')
      .values({
        workspaceId: target.workspaceId,
        userId: who.userId,
        role: 'Admin',
        createdAt: app.clock.now(),
      })
      .execute()
    const { _id: id } = await addDomain(app, who, { name: 'looked-up.example' })
    await app.db.updateTable('domains').set({ isVerified: true }).where('id', '=', id).execute()
    await deleteDomainLater(app, who, domain.id)
    await deleteDomainLater(app, who, id)
    app.clock.advance({ days: 3 })
    const looks = async () => {
      await recheckDueDomains(app)
      const records = app.db
        .selectFrom('domainRecords')
        .select('checkedAt')
        .where('domainId', '=', id)
      return (await records.execute()).some(({ checkedAt }) => checkedAt !== null)
    }
    expect(await looks()).toBe(false)
    await restoreDeleted(app, who, id)
    expect(await looks()).toBe(true)
    const missing = { type: 'NOT_EXISTS' }
    await expect(moveDomain(app, who, domain.id, target.workspaceId)).rejects.toMatchObject(missing)
    await expect(setCatchAll(app, who, domain.id, ada.id)).rejects.toMatchObject(missing)
    await expect(deleteDomainLater(app, who, domain.id)).rejects.toMatchObject(missing)
  })
})

test('a foreign workspace sees, restores and ends nothing', async () => {
  const stranger = await aMember(app)
  await deleteDomainLater(app, who, domain.id)
  const gone = await anActiveDomain(app, who)
  const box = await aMailbox(app, { domain: gone })
  await deliver(box.email.split('@')[0] ?? '', gone)
  await deleteMailboxLater(app, who, box.id)
  expect(await waiting(stranger)).toEqual([])
  for (const [id, name] of [
    [domain.id, domain.name],
    [box.id, box.email],
    ['nonsense', 'x'],
  ] as const) {
    await expect(restoreDeleted(app, stranger, id)).rejects.toMatchObject({ type: 'NOT_EXISTS' })
    await expect(endDeleted(app, stranger, id, name)).rejects.toMatchObject({ type: 'NOT_EXISTS' })
  }
  expect(await waiting()).toHaveLength(2)
})

describe('at the same moment', () => {
  test('what is restored has not ended, and what has ended is not restored', async () => {
    for (let round = 0; round < 6; round += 1) {
      const one = await anActiveDomain(app, who)
      const box = await aMailbox(app, { domain: one, localPart: 'box' })
      const lone = await aMailbox(app, { domain, localPart: `lone${round}` })
      await deliver('box', one)
      await deliver(`lone${round}`)
      await deleteDomainLater(app, who, one.id)
      await deleteMailboxLater(app, who, lone.id)
      app.clock.advance({ days: 14 })
      const [, ...outcomes] = await Promise.allSettled([
        endDueDeletions(app),
        restoreDeleted(app, who, one.id),
        restoreDeleted(app, who, lone.id),
        endDeleted(app, who, lone.id, lone.email),
        deliver('box', one),
      ])
      for (const outcome of outcomes)
        if (outcome.status === 'rejected')
          expect(outcome.reason).toMatchObject({ type: 'NOT_EXISTS' })
      const left = await emails()
      expect(left.includes(box.email)).toBe(outcomes[0]?.status === 'fulfilled')
      expect(left.includes(lone.email)).toBe(outcomes[1]?.status === 'fulfilled')
      expect(await waiting()).toEqual([])
    }
  })

  test('one of deleting and making anew wins, and the address is there once', async () => {
    for (let round = 0; round < 6; round += 1) {
      const box = await aMailbox(app, { domain, localPart: `box${round}` })
      await deliver(`box${round}`)
      const again = { firstName: 'Ada', lastName: 'King', email: box.email, domain: domain.name }
      const outcomes = await Promise.allSettled([
        deleteMailboxLater(app, who, box.id),
        createMailbox(app, who, again),
        createMailbox(app, who, again),
      ])
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
      const kept = await app.db
        .selectFrom('mailboxes')
        .select('id')
        .where('email', '=', box.email)
        .execute()
      expect(kept).toEqual([{ id: box.id }])
    }
  })

  test('a domain is deleted once, with all mailboxes that were made before', async () => {
    const form = { firstName: 'Bob', lastName: 'Boole', domain: domain.name }
    const outcomes = await Promise.allSettled([
      deleteDomainLater(app, who, domain.id),
      deleteDomainLater(app, who, domain.id),
      ...['b1', 'b2', 'b3'].map((local) =>
        createMailbox(app, who, { ...form, email: `${local}@${domain.name}` }),
      ),
      deleteMailboxLater(app, who, ada.id),
    ])
    const [one, other] = outcomes
    expect([one?.status, other?.status].toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await emails()).toEqual([])
    await restoreDeleted(app, who, domain.id)
    const made = outcomes.slice(2, 5).filter(({ status }) => status === 'fulfilled').length
    const isApart = outcomes[5]?.status === 'fulfilled'
    expect(await emails()).toHaveLength(made + (isApart ? 0 : 1))
  })
})
