import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mailboxSort } from '#contract/mailboxes.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { newId } from '#server/lib/ids.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox, aUser, letRead } from '#test-world/builders.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { findRecipient } from './find-recipient.ts'
import { mailboxPageQuery, sortedPageQuery } from './mailbox-list-store.ts'
import { countMailboxes, listMailboxes } from './read-mailboxes.ts'

let app: TestApp
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())

describe('listing', () => {
  it('pages through all without a gap or a double, newest first', async () => {
    const who = await aMember(app)
    const domain = await anActiveDomain(app, who)
    const newestFirst: string[] = []
    for (let i = 0; i < 23; i++) {
      // Several of one moment, so that the id decides.
      if (i % 4 === 0) app.clock.advance({ seconds: 1 })
      newestFirst.unshift((await aMailbox(app, { domain, id: newId(i * 1000) })).id)
    }
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof listMailboxes>> = await listMailboxes(app, who, {
        limit: 5,
        ...(cursor !== null && { cursor }),
      })
      seen.push(...page.items.map((mailbox) => mailbox._id))
      // Made while somebody pages: it is on no later page.
      await aMailbox(app, { domain, createdAt: new Date(app.clock.now().getTime() + 5000) })
      cursor = page.nextCursor
    } while (cursor !== null)
    expect(seen).toEqual(newestFirst)
  })

  it('ends a page early when its signatures are large, and loses none', async () => {
    const who = await aMember(app)
    const domain = await anActiveDomain(app, who)
    const signature = 'x'.repeat(3_000_000)
    for (let i = 0; i < 4; i++) await aMailbox(app, { domain, signature })
    const first = await listMailboxes(app, who, { limit: 50 })
    expect(first.items.map((mailbox) => mailbox.signature)).toEqual([signature, signature])
    const cursor = first.nextCursor ?? ''
    const second = await listMailboxes(app, who, { limit: 50, cursor })
    expect(second.items).toHaveLength(2)
    expect(second.nextCursor).toBe(null)
  })

  it('filters by text, domain, status and right to read', async () => {
    const who = await aMember(app)
    const [one, two] = [await anActiveDomain(app, who), await anActiveDomain(app, who)]
    const adas = await aMailbox(app, { domain: one, localPart: 'ada' })
    const percent = await aMailbox(app, { domain: one, firstName: '100%', status: 'suspended' })
    const grace = await aMailbox(app, { domain: two, firstName: 'Grace', lastName: 'Hopper' })
    await letRead(app, grace, who.userId)
    const found = async (query: object, as: Who = who) =>
      (await listMailboxes(app, as, { limit: 50, ...query })).items.map((mailbox) => mailbox._id)
    expect(await found({ q: 'ADA@' })).toEqual([adas.id])
    expect(await found({ q: 'grace hop' })).toEqual([grace.id])
    expect(await found({ q: ' hopper  GRACE active ' })).toEqual([grace.id])
    expect(await found({ q: 'suspended' })).toEqual([percent.id])
    expect(await found({ q: '0%' })).toEqual([percent.id])
    expect(await found({ q: '_%' })).toEqual([])
    expect(await found({ domain: two.name.toUpperCase() })).toEqual([grace.id])
    expect(await found({ domain: 'nowhere.example' })).toEqual([])
    expect(await found({ status: 'suspended' })).toEqual([percent.id])
    expect(await found({ readable: 'true' })).toEqual([grace.id])
    expect((await found({ readable: 'false' })).sort()).toEqual([adas.id, percent.id].sort())
    // Who may not see all mailboxes sees their own, whatever they ask for.
    expect(await found({}, { ...who, role: 'User' })).toEqual([grace.id])
    expect(await found({ readable: 'false' }, { ...who, role: 'User' })).toEqual([])
    expect(await found({}, await aMember(app))).toEqual([])
    await expect(listMailboxes(app, who, { limit: 1, cursor: 'x' })).rejects.toMatchObject({
      data: { cursor: expect.any(String) },
    })
  })

  it('reads a page of thousands from its index', async () => {
    const who = await aMember(app)
    const domain = await anActiveDomain(app, who)
    await manyMailboxes(domain.id, who.workspaceId, 4000)
    await sql`analyze mailboxes`.execute(app.db)
    const { items } = await listMailboxes(app, who, { limit: 50 })
    const last = items.at(-1)
    const plan = await mailboxPageQuery(app.db, who.workspaceId, {
      limit: 51,
      after: { at: app.clock.now(), id: last?._id ?? '' },
      ...everything(who),
    }).explain('json')
    const text = JSON.stringify(plan)
    expect(text).toContain('mailboxes_list')
    expect(text).not.toMatch(/Seq Scan|"Sort"/)
  })

  it('finds one by its id, where the caller may see it', async () => {
    const who = await aMember(app)
    const domain = await anActiveDomain(app, who)
    const [first] = [await aMailbox(app, { domain }), await aMailbox(app, { domain })]
    const found = async (id: string, narrowed: { readable?: 'true' } = {}) =>
      (await listMailboxes(app, who, { limit: 1, id, ...narrowed })).items.map(({ _id }) => _id)
    expect(await found(first.id)).toEqual([first.id])
    expect(await found(first.id, { readable: 'true' })).toEqual([])
    await letRead(app, first, who.userId)
    expect(await found(first.id, { readable: 'true' })).toEqual([first.id])
    const other = await aMember(app)
    const foreign = await aMailbox(app, { domain: await anActiveDomain(app, other) })
    for (const id of [foreign.id, newId(), 'no id']) expect(await found(id), id).toEqual([])
    expect(await countMailboxes(app, who, { id: first.id })).toEqual({ count: 1 })
  })

  it('pages through all sorted by size or last sign-in, equal ones by their id', async () => {
    const who = await aMember(app)
    const domain = await anActiveDomain(app, who)
    const start = app.clock.now().getTime()
    const made: { id: string; size: number; login: number }[] = []
    for (let i = 0; i < 12; i++) {
      const [size, login] = [(i % 4) * 1000, i % 3 === 0 ? 0 : start - (i % 5) * 60_000]
      const mailbox = await aMailbox(app, { domain, usedBytes: size })
      made.push({ id: mailbox.id, size, login })
      const lastLoginAt = login === 0 ? null : new Date(login)
      if (i !== 6) await aUser(app, { email: mailbox.email, mailboxId: mailbox.id, lastLoginAt })
    }
    for (const sort of mailboxSort.options) {
      const seen: string[] = []
      let cursor: string | null = null
      do {
        const page: Awaited<ReturnType<typeof listMailboxes>> = await listMailboxes(app, who, {
          ...{ limit: 5, sort },
          ...(cursor !== null && { cursor }),
        })
        seen.push(...page.items.map(({ _id }) => _id))
        cursor = page.nextCursor
      } while (cursor !== null)
      const by = sort.endsWith('size') ? ('size' as const) : ('login' as const)
      const sorted = made.toSorted((a, b) => a[by] - b[by] || (a.id < b.id ? -1 : 1))
      const wanted = (sort.startsWith('-') ? sorted.toReversed() : sorted).map(({ id }) => id)
      expect(seen, sort).toEqual(wanted)
    }
    const found = await listMailboxes(app, who, { limit: 50, sort: '-size', q: 'nobody' })
    expect(found).toEqual({ items: [], nextCursor: null })
  })

  it('sorts the mailboxes of one workspace alone, however many others there are', async () => {
    const who = await aMember(app)
    const domain = await anActiveDomain(app, who)
    await manyMailboxes(domain.id, who.workspaceId, 300)
    for (let n = 0; n < 10; n++) {
      const other = await aMember(app)
      await manyMailboxes((await anActiveDomain(app, other)).id, other.workspaceId, 400)
    }
    await sql`analyze mailboxes`.execute(app.db)
    for (const sort of mailboxSort.options) {
      const filter = { ...everything(who), sort, limit: 51, after: { value: 5, id: newId() } }
      const plan = await sortedPageQuery(app.db, who.workspaceId, filter).explain('json')
      const text = JSON.stringify(plan)
      expect(text).toContain('"Index Cond":"(workspace_id = ')
      expect(text.includes('"Relation Name":"users"')).toBe(sort.endsWith('login'))
    }
  })
})

const everything = (who: Who) => ({
  ...{ text: '', domain: null, status: null, access: null, id: null },
  ...{ isReadable: null, onlyReadable: false, reach: null },
  ...{ now: app.clock.now(), readerId: who.userId },
})

describe('finding the recipient of a mail', () => {
  it('knows mailboxes in any case and with any tag', async () => {
    const who = await aMember(app)
    const domain = await anActiveDomain(app, who, 'xn--bcher-kva.example')
    const mailbox = await aMailbox(app, { domain, localPart: 'ada' })
    const found = {
      kind: 'mailbox',
      mailboxId: mailbox.id,
      workspaceId: who.workspaceId,
      email: 'ada@xn--bcher-kva.example',
    }
    for (const address of ['ada@xn--bcher-kva.example', 'ADA+Shop+2@B\u00dcCHER.example'])
      expect(await findRecipient(app, address)).toEqual(found)
    const tagged = await aMailbox(app, { domain, localPart: 'ada+shop' })
    expect(await findRecipient(app, 'ada+shop@xn--bcher-kva.example')).toMatchObject({
      mailboxId: tagged.id,
    })
    for (const address of ['+ada@xn--bcher-kva.example', 'adam@xn--bcher-kva.example', 'ada@'])
      expect(await findRecipient(app, address)).toEqual({ kind: 'unknown' })
  })

  it('delivers to suspended mailboxes and not to unpaid ones, whether the domain is active or not', async () => {
    const who = await aMember(app)
    const { workspaceId } = who
    const domain = await aDomain(app, { workspaceId, verified: true })
    const suspended = await aMailbox(app, { domain, status: 'suspended' })
    const unpaid = await aMailbox(app, { domain, status: 'inactive' })
    expect(await findRecipient(app, suspended.email)).toMatchObject({ mailboxId: suspended.id })
    expect(await findRecipient(app, unpaid.email)).toEqual({ kind: 'unknown' })
  })

  it('knows nothing of a domain whose ownership is not proven', async () => {
    const claimed = await aDomain(app)
    const mailbox = await aMailbox(app, { domain: claimed })
    expect(await findRecipient(app, mailbox.email)).toEqual({ kind: 'foreign' })
    expect(await findRecipient(app, `postmaster@${claimed.name}`)).toEqual({ kind: 'foreign' })
    expect(await findRecipient(app, 'ada@elsewhere.example')).toEqual({ kind: 'foreign' })
    const holder = await aMailbox(app, {
      domain: await aDomain(app, { name: claimed.name, verified: true }),
    })
    expect(await findRecipient(app, holder.email)).toMatchObject({ mailboxId: holder.id })
    expect(await findRecipient(app, mailbox.email)).toEqual({ kind: 'unknown' })
  })

  it('gives role addresses to the workspace, and those of MAIL_HOST to the operator', async () => {
    const who = await aMember(app)
    const domain = await aDomain(app, { workspaceId: who.workspaceId, verified: true })
    for (const local of ['postmaster', 'Abuse', 'postmaster+x'])
      expect(await findRecipient(app, `${local}@${domain.name}`)).toEqual({
        kind: 'role',
        workspaceId: who.workspaceId,
      })
    const { mailHost } = app.config
    for (const address of [
      'Postmaster',
      `postmaster@${mailHost}`,
      `ABUSE@${mailHost.toUpperCase()}`,
    ])
      expect(await findRecipient(app, address)).toEqual({ kind: 'role', workspaceId: null })
    expect(await findRecipient(app, `ada@${mailHost}`)).toEqual({ kind: 'unknown' })
    const local = { ...app, config: { ...app.config, mailHost: 'localhost' } }
    expect(await findRecipient(local, 'postmaster@localhost')).toEqual({
      kind: 'role',
      workspaceId: null,
    })
  })
})

const manyMailboxes = async (domainId: string, workspaceId: string, count: number) => {
  const rows = Array.from({ length: count }, (_, i) => ({
    id: newId(i),
    workspaceId,
    domainId,
    email: `m${i}@${domainId}.example`,
    firstName: 'Many',
    lastName: `Number ${i}`,
    status: 'active' as const,
    createdAt: new Date(app.clock.now().getTime() - i * 1000),
  }))
  await app.db.insertInto('mailboxes').values(rows).execute()
}
