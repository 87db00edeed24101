import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Who } from '#server/features/accounts/who.ts'
import { getDomain, listDomains } from '#server/features/domains/find-domain.ts'
import { newId } from '#server/lib/ids.ts'
import { CHANGED_CHANNEL } from '#server/storage/notifications.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox, type Domain, type Mailbox } from '#test-world/builders.ts'
import { stateOf } from '#test-world/database-state.ts'
import { deleteMailbox } from '#test-world/deletions.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { addAlias, removeCatchAll, setCatchAll } from './aliases.ts'
import { findRecipient } from './find-recipient.ts'
import { recipientQuery } from './recipient-store.ts'

let app: TestApp
let who: Who
let domain: Domain
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  who = await aMember(app)
  domain = await anActiveDomain(app, who)
})

const reached = async (local: string, at = domain) => {
  const found = await findRecipient(app, `${local}@${at.name}`)
  return found.kind === 'mailbox' ? found.mailboxId : found.kind
}

describe('who gets mail', () => {
  let boxes: Record<'ada' | 'tagged' | 'unpaid' | 'asleep' | 'grace' | 'rest', Mailbox>
  beforeEach(async () => {
    const other = await anActiveDomain(app, who)
    const box = (localPart: string, more: object = {}) =>
      aMailbox(app, { domain, localPart, ...more })
    boxes = {
      ada: await box('ada'),
      tagged: await box('ada+shop'),
      unpaid: await box('unpaid', { status: 'inactive' }),
      asleep: await box('asleep', { status: 'suspended' }),
      grace: await box('grace', { domain: other }),
      rest: await box('rest', { domain: other }),
    }
    const alias = (of: keyof typeof boxes, local: string) =>
      addAlias(app, who, boxes[of].id, { email: `${local}@${domain.name}` })
    await alias('ada', 'countess')
    await alias('grace', 'hopper')
    await alias('grace', 'countess+bugs')
    await alias('grace', 'ada+bugs')
    await alias('unpaid', 'late')
  })

  /** Without and with a catch-all. */
  test.each([
    ['ada', 'ada', 'ada'],
    ['ADA', 'ada', 'ada'],
    ['ada+news', 'ada', 'ada'],
    ['ada+news+old', 'ada', 'ada'],
    ['ada+shop', 'tagged', 'tagged'],
    ['ada+shop+new', 'ada', 'ada'],
    ['ada+bugs', 'grace', 'grace'],
    ['Countess', 'ada', 'ada'],
    ['countess+fans', 'ada', 'ada'],
    ['countess+bugs', 'grace', 'grace'],
    ['hopper', 'grace', 'grace'],
    ['hopper+cobol', 'grace', 'grace'],
    ['asleep', 'asleep', 'asleep'],
    ['unpaid', 'unknown', 'unknown'],
    ['unpaid+x', 'unknown', 'unknown'],
    ['late', 'unknown', 'unknown'],
    ['late+x', 'unknown', 'unknown'],
    ['postmaster', 'role', 'role'],
    ['Abuse+x', 'role', 'role'],
    ['nobody', 'unknown', 'rest'],
    ['nobody+ada', 'unknown', 'rest'],
    ['+ada', 'unknown', 'rest'],
    ['grace', 'unknown', 'rest'],
    ['"nobody"', 'unknown', 'unknown'],
    ['no..body', 'unknown', 'unknown'],
  ] as const)('for %s: %s, with a catch-all %s', async (local, without, withRest) => {
    const idOf = (name: string) => (name in boxes ? boxes[name as keyof typeof boxes].id : name)
    expect(await reached(local)).toBe(idOf(without))
    await setCatchAll(app, who, domain.id, boxes.rest.id)
    expect(await reached(local)).toBe(idOf(withRest))
    await removeCatchAll(app, who, domain.id)
    expect(await reached(local)).toBe(idOf(without))
  })

  test('a catch-all that is not paid for gets nothing', async () => {
    await setCatchAll(app, who, domain.id, boxes.unpaid.id)
    expect(await reached('nobody')).toBe('unknown')
    await setCatchAll(app, who, domain.id, boxes.asleep.id)
    expect(await reached('nobody')).toBe(boxes.asleep.id)
  })

  test('a catch-all is of its domain alone', async () => {
    await setCatchAll(app, who, domain.id, boxes.rest.id)
    const below = await aDomain(app, {
      ...{ workspaceId: who.workspaceId, active: true },
      name: `below.${domain.name}`,
    })
    expect(await reached('nobody', below)).toBe('unknown')
    expect(await reached('nobody', { ...domain, name: `x.${domain.name}` })).toBe('foreign')
  })
})

test('the catch-all of a domain is shown with it, announced, changed, and removed twice', async () => {
  const heard: string[] = []
  const stop = await app.listener.subscribe(CHANGED_CHANNEL, (text) => heard.push(text ?? ''))
  const [ada, grace] = [await aMailbox(app, { domain }), await aMailbox(app, { domain })]
  const shown = async () => (await listDomains(app, who))[0]?.catchAll
  expect(await shown()).toBeNull()
  expect((await setCatchAll(app, who, domain.id, ada.id)).catchAll).toEqual({
    mailboxId: ada.id,
    email: ada.email,
  })
  await setCatchAll(app, who, domain.id, grace.id)
  expect(await shown()).toEqual({ mailboxId: grace.id, email: grace.email })
  await removeCatchAll(app, who, domain.id)
  await removeCatchAll(app, who, domain.id)
  expect(await shown()).toBeNull()
  const topic = JSON.stringify({ topic: 'domains', workspaceId: who.workspaceId })
  await expect.poll(() => heard.filter((text) => text === topic)).toHaveLength(4)
  stop()
})

test('it needs proven ownership, and goes with its mailbox', async () => {
  const { workspaceId } = who
  const claimed = await aDomain(app, { workspaceId })
  const ada = await aMailbox(app, { domain })
  await expect(setCatchAll(app, who, claimed.id, ada.id)).rejects.toMatchObject({
    type: 'DOMAIN_NOT_VERIFIED',
  })
  const verified = await aDomain(app, { workspaceId, verified: true })
  await setCatchAll(app, who, verified.id, ada.id)
  expect(await reached('nobody', verified)).toBe(ada.id)
  await deleteMailbox(app, who, ada.id)
  expect(await reached('nobody', verified)).toBe('unknown')
  expect((await getDomain(app, who, verified.id)).catchAll).toBeNull()
})

test('foreign, random and malformed ids answer alike, and change nothing', async () => {
  const stranger = await aMember(app)
  const theirs = await aMailbox(app, { domain: await anActiveDomain(app, stranger) })
  const ada = await aMailbox(app, { domain })
  await setCatchAll(app, stranger, theirs.domainId, theirs.id)
  const before = await stateOf(app.db)
  const notThere = { type: 'NOT_EXISTS', message: 'Not found', data: {} }
  for (const id of [theirs.id, theirs.domainId, newId(), 'x', `${ada.id}'`]) {
    await expect(setCatchAll(app, who, domain.id, id)).rejects.toMatchObject(notThere)
    await expect(setCatchAll(app, who, id, ada.id)).rejects.toMatchObject(notThere)
    await expect(removeCatchAll(app, who, id)).rejects.toMatchObject(notThere)
  }
  expect(await stateOf(app.db)).toBe(before)
})

test('finding the recipient reads indexes alone, however many addresses there are', async () => {
  const { workspaceId } = who
  await sql`
    with made as (
      insert into domains (id, workspace_id, name, ownership_token, is_verified, created_at)
      select gen_random_uuid(), ${workspaceId}, 'd' || n || '.many.example', 't', true, now()
      from generate_series(1, 5000) as n returning id, name
    ), boxes as (
      insert into mailboxes
        (id, workspace_id, domain_id, email, first_name, last_name, status, created_at)
      select gen_random_uuid(), ${workspaceId}, id, 'ada@' || name, 'Ada', 'L', 'active', now()
      from made returning id, domain_id, email
    ), others as (
      insert into aliases (id, workspace_id, domain_id, mailbox_id, email, created_at)
      select gen_random_uuid(), ${workspaceId}, domain_id, id, 'x' || email, now() from boxes
    )
    insert into catch_alls (domain_id, workspace_id, mailbox_id)
    select domain_id, ${workspaceId}, id from boxes`.execute(app.db)
  for (const table of ['domains', 'mailboxes', 'aliases', 'catch_alls'])
    await sql`analyze ${sql.table(table)}`.execute(app.db)
  const at = 'd77.many.example'
  const plan = await recipientQuery(app.db, at, `ada+x@${at}`, `ada@${at}`).explain('json')
  const text = JSON.stringify(plan)
  for (const index of ['mailboxes_email_key', 'aliases_email_key', 'catch_alls_pkey'])
    expect(text).toContain(index)
  expect(text).not.toContain('Seq Scan')
})
