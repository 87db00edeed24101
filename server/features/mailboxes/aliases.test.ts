import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Who } from '#server/features/accounts/who.ts'
import { deleteDomain } from '#server/features/ownership/delete-domain.ts'
import { newId } from '#server/lib/ids.ts'
import { CHANGED_CHANNEL } from '#server/storage/notifications.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox, type Domain, type Mailbox } from '#test-world/builders.ts'
import { stateOf } from '#test-world/database-state.ts'
import { deleteMailbox } from '#test-world/deletions.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { addAlias, listAliases, removeAlias } from './aliases.ts'
import { createMailbox, editMailbox } from './edit-mailbox.ts'
import { findRecipient } from './find-recipient.ts'
import { generateMailboxes } from './generate-mailboxes.ts'

let app: TestApp
let who: Who
let domain: Domain
let ada: Mailbox
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  who = await aMember(app)
  domain = await anActiveDomain(app, who)
  ada = await aMailbox(app, { domain, localPart: 'ada' })
})

const add = (local: string, mailbox = ada, at = domain) =>
  addAlias(app, who, mailbox.id, { email: `${local}@${at.name}` })
const create = (local: string) =>
  createMailbox(app, who, {
    ...{ firstName: 'Grace', lastName: 'Hopper', domain: domain.name },
    email: `${local}@${domain.name}`,
  })
const generate = () =>
  generateMailboxes(app, who, {
    ...{ domains: [domain.name], count: 1 },
    names: [{ firstName: 'Gracie', lastName: 'Hopper' }],
  })
const outcomesOf = async (calls: Promise<unknown>[]) =>
  (await Promise.allSettled(calls)).map((each) =>
    each.status === 'fulfilled' ? 'done' : (each.reason.type as string),
  )

test('an alias is added, listed in order, announced and removed', async () => {
  const heard: string[] = []
  const stop = await app.listener.subscribe(CHANGED_CHANNEL, (text) => heard.push(text ?? ''))
  const other = await anActiveDomain(app, who, 'xn--bcher-kva.example')
  const first = await add('Countess')
  app.clock.advance({ seconds: 1 })
  const second = await addAlias(app, who, ada.id, { email: 'Sales@b\u00fccher.example' })
  expect(first).toEqual({
    _id: expect.any(String),
    email: `countess@${domain.name}`,
    createdAt: expect.any(String),
  })
  expect(second.email).toBe(`sales@${other.name}`)
  expect(await listAliases(app, who, ada.id)).toEqual([first, second])
  const topic = JSON.stringify({ topic: 'mailboxes', workspaceId: who.workspaceId })
  await expect.poll(() => heard.filter((text) => text === topic)).toHaveLength(2)
  await removeAlias(app, who, ada.id, first._id)
  expect(await listAliases(app, who, ada.id)).toEqual([second])
  await expect.poll(() => heard.filter((text) => text === topic)).toHaveLength(3)
  await expect(removeAlias(app, who, ada.id, first._id)).rejects.toMatchObject({
    type: 'NOT_EXISTS',
  })
  stop()
})

describe('an alias is refused', () => {
  test.each([
    ['postmaster', 'PostMaster@DOMAIN'],
    ['abuse with a tag', 'abuse+x@DOMAIN'],
    ['a domain of nobody', 'ada@nowhere.example'],
    ['what is no address', '"ada"@DOMAIN'],
  ])('at %s', async (_what, email) => {
    const before = await stateOf(app.db)
    const form = { email: email.replace('DOMAIN', domain.name) }
    await expect(addAlias(app, who, ada.id, form)).rejects.toMatchObject({
      type: 'VALIDATION',
      data: { email: expect.any(String) },
    })
    expect(await stateOf(app.db)).toBe(before)
  })

  test('at the domain of another workspace, as at one of nobody', async () => {
    const foreign = await aDomain(app, { active: true })
    await expect(add('ada', ada, foreign)).rejects.toMatchObject({
      data: { email: 'This domain is not in your workspace' },
    })
  })

  test('at a domain that is not active', async () => {
    const { workspaceId } = who
    for (const asleep of [
      await aDomain(app, { workspaceId, verified: true }),
      await aDomain(app, { workspaceId }),
    ])
      await expect(add('ada', ada, asleep)).rejects.toMatchObject({ type: 'DOMAIN_NOT_ACTIVE' })
  })

  test('where a mailbox or an alias is, and says which', async () => {
    const grace = await aMailbox(app, { domain, localPart: 'grace', status: 'inactive' })
    await add('countess')
    await expect(add('GRACE')).rejects.toMatchObject({ type: 'MAILBOX_EXISTS' })
    await expect(add('ada')).rejects.toMatchObject({ type: 'MAILBOX_EXISTS' })
    for (const mailbox of [ada, grace])
      await expect(add('Countess', mailbox)).rejects.toMatchObject({
        type: 'ADDRESS_TAKEN',
        message: `This address is an alias of ${ada.email}`,
      })
  })

  test('beyond fifty, also when many are added at once under several domains', async () => {
    const other = await anActiveDomain(app, who)
    const outcomes = await outcomesOf(
      Array.from({ length: 60 }, (_, n) => add(`a${n}`, ada, n % 2 === 0 ? domain : other)),
    )
    expect(outcomes.filter((each) => each !== 'done')).toEqual(Array(10).fill('ALIAS_LIMIT'))
    expect(await listAliases(app, who, ada.id)).toHaveLength(50)
  })
})

describe('an address that is an alias', () => {
  test('becomes no mailbox, by creating or by editing', async () => {
    await add('countess')
    const message = `This address is an alias of ${ada.email}`
    const taken = { type: 'ADDRESS_TAKEN', message }
    await expect(create('COUNTESS')).rejects.toMatchObject(taken)
    const { _id } = await create('grace')
    await expect(
      editMailbox(app, who, _id, { email: `countess@${domain.name}` }),
    ).rejects.toMatchObject(taken)
  })

  test('gets a number when mailboxes are generated', async () => {
    await add('gracie.hopper')
    await add('gracie.hopper2')
    expect(await generate()).toMatchObject([{ email: `gracie.hopper3@${domain.name}` }])
  })

  test('is free again when it was removed', async () => {
    const { _id } = await add('countess')
    await removeAlias(app, who, ada.id, _id)
    expect(await create('countess')).toMatchObject({ email: `countess@${domain.name}` })
  })
})

describe('at once', () => {
  /** In every table, whose address it is. */
  const holders = async (local: string) => {
    const email = `${local}@${domain.name}`
    const [mailboxes, aliases] = await Promise.all([
      app.db.selectFrom('mailboxes').select('id').where('email', '=', email).execute(),
      app.db.selectFrom('aliases').select('id').where('email', '=', email).execute(),
    ])
    return mailboxes.length + aliases.length
  }

  test('one of many gets an address, whether as a mailbox, as an alias or by an edit', async () => {
    const grace = await aMailbox(app, { domain, localPart: 'grace' })
    const mary = await aMailbox(app, { domain, localPart: 'mary' })
    for (let round = 0; round < 10; round++) {
      const local = `wanted${round}`
      const outcomes = await outcomesOf([
        add(local),
        create(local),
        add(local, grace),
        editMailbox(app, who, mary.id, { email: `${local}@${domain.name}` }),
        create(local),
        add(local),
      ])
      expect(outcomes.filter((each) => each === 'done')).toHaveLength(1)
      for (const each of outcomes)
        expect(['done', 'MAILBOX_EXISTS', 'ADDRESS_TAKEN']).toContain(each)
      expect(await holders(local)).toBe(1)
    }
  })

  test('generating goes round an alias that comes meanwhile', async () => {
    const [first, , second] = await Promise.allSettled([
      generate(),
      add('gracie.hopper2'),
      generate(),
    ])
    expect([first.status, second.status]).toEqual(['fulfilled', 'fulfilled'])
    expect(await holders('gracie.hopper')).toBe(1)
    expect(await holders('gracie.hopper2')).toBe(1)
  })

  test('an alias and the end of its domain or its mailbox leave nothing behind', async () => {
    for (let round = 0; round < 5; round++) {
      const passing = await anActiveDomain(app, who)
      const box = await aMailbox(app, { domain })
      const outcomes = await outcomesOf([
        add('a', ada, passing),
        deleteDomain(app, who, passing.id),
        add('b', box),
        deleteMailbox(app, who, box.id),
        add('c', box, passing),
      ])
      // Nobody waited for each other in a circle.
      expect(outcomes).not.toContain(undefined)
      const left = await app.db
        .selectFrom('aliases')
        .select('email')
        .where((eb) => eb.or([eb('domainId', '=', passing.id), eb('mailboxId', '=', box.id)]))
        .execute()
      expect(left).toEqual([])
    }
  })
})

test('aliases go with their mailbox and with their domain; the next owner of the name has none', async () => {
  const other = await anActiveDomain(app, who)
  await add('countess', ada, other)
  const grace = await aMailbox(app, { domain: other })
  await add('hopper', grace)
  await deleteDomain(app, who, other.id)
  expect(await listAliases(app, who, ada.id)).toEqual([])
  expect(await findRecipient(app, `hopper@${domain.name}`)).toEqual({ kind: 'unknown' })

  const next = await aMember(app)
  await aDomain(app, { workspaceId: next.workspaceId, name: other.name, active: true })
  expect(await findRecipient(app, `countess@${other.name}`)).toEqual({ kind: 'unknown' })
})

test('foreign, random and malformed ids answer alike, and change nothing', async () => {
  const { _id: aliasId } = await add('countess')
  const grace = await aMailbox(app, { domain, localPart: 'grace' })
  const stranger = await aMember(app)
  const theirs = await aMailbox(app, {
    domain: await anActiveDomain(app, stranger),
  })
  const { _id: theirAlias } = await addAlias(app, stranger, theirs.id, {
    email: `x@${theirs.email.split('@')[1]}`,
  })
  const before = await stateOf(app.db)
  const notThere = { type: 'NOT_EXISTS', message: 'Not found', data: {} }
  for (const id of [theirs.id, newId(), 'x', `${theirs.id}'`]) {
    await expect(listAliases(app, who, id)).rejects.toMatchObject(notThere)
    // Not even whether the address would be free.
    for (const email of [`new@${domain.name}`, ada.email, `countess@${domain.name}`, theirs.email])
      await expect(addAlias(app, who, id, { email })).rejects.toMatchObject(notThere)
    await expect(removeAlias(app, who, id, theirAlias)).rejects.toMatchObject(notThere)
    await expect(removeAlias(app, who, ada.id, id)).rejects.toMatchObject(notThere)
  }
  await expect(removeAlias(app, who, ada.id, theirAlias)).rejects.toMatchObject(notThere)
  await expect(removeAlias(app, who, grace.id, aliasId)).rejects.toMatchObject(notThere)
  expect(await stateOf(app.db)).toBe(before)
})
