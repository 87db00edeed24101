import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addDomain } from '#server/features/domains/add-domain.ts'
import { dnsRecords, ownershipRecord } from '#server/features/domains/dns-records.ts'
import { listDomains } from '#server/features/domains/find-domain.ts'
import { withdrawClaim } from '#server/features/ownership/claim-domain.ts'
import { deleteDomain } from '#server/features/ownership/delete-domain.ts'
import { getOwnership, listOwnership } from '#server/features/ownership/read-ownership.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { linesBySystem } from '#test-world/audit-lines.ts'
import { aMailbox, type Domain, letRead } from '#test-world/builders.ts'
import { type ZonesDns, zonesDns } from '#test-world/dns/zones-dns.ts'
import { aMember } from '#test-world/members.ts'
import { ask } from '#test-world/postgres/postgres-owner.ts'
import type { Who } from '../accounts/who.ts'
import { addAlias, setCatchAll } from '../mailboxes/aliases.ts'
import { findRecipient } from '../mailboxes/find-recipient.ts'
import { receiveMessage } from '../messages/receive-message.ts'
import { listHeldMails } from '../outbox/held-mails.ts'
import { sendMessage } from '../sending/send-message.ts'
import { checkDomain } from './check-domain.ts'
import { settleOwnership } from './settle-ownership.ts'
import { verifyDns, verifyOwnership } from './verify-domain.ts'

let app: TestApp
let dns: ZonesDns
beforeAll(async () => {
  dns = zonesDns()
  app = await anApp({ dns, config: { mailIps: ['192.0.2.25'] } })
})
afterAll(() => app.close())

let ada: Who
let bob: Who
let name: string
let turn = 0
beforeEach(async () => {
  ada = await aMember(app)
  bob = await aMember(app)
  turn += 1
  name = `story${turn}.test`
})

/** Whose ownership records stand in DNS. */
const published = async (at: string, ...ids: [Who, string][]) => {
  const values = []
  for (const [who, id] of ids) values.push((await ownershipRecord(app, who, id)).value)
  if (values.length > 0) dns.zones.set(`_mailstead.${at}`, 'TXT', values)
  else dns.zones.remove(`_mailstead.${at}`)
}

/** An active domain of theirs, with one mailbox and a mail in it. */
const aDomainInUse = async (who: Who, at = name) => {
  const { _id: id } = await addDomain(app, who, { name: at })
  await published(at, [who, id])
  await verifyOwnership(app, who, id)
  for (const { type, name: owner, value, priority } of await dnsRecords(app, who, id))
    dns.zones.set(owner, type, [type === 'MX' ? `${priority} ${value}` : value])
  await verifyDns(app, who, id)
  const domain = await app.db
    .selectFrom('domains')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { id, mailbox: await aMailboxIn(who, domain) }
}

const aMailboxIn = async (who: Who, domain: Domain) => {
  const mailbox = await aMailbox(app, { domain, localPart: 'ada' })
  const { id: mailboxId, workspaceId } = mailbox
  await letRead(app, mailbox, who.userId)
  const raw = Buffer.from(`Subject: for the old ones\r\n\r\nsecret of ${domain.name}\r\n`)
  await receiveMessage(app, app.db, { raw, mailFrom: 'x@elsewhere.test', authentication: null }, [
    { mailboxId, workspaceId },
  ])
  return mailbox
}

/** Of the lines of an audit log; others are of its records. */
const isOfClaims = ([action]: readonly [string, string]): boolean =>
  !/^(domain(Verified|Active|Broken))$/.test(action)

const send = (who: Who, mailboxId: string) =>
  sendMessage(app, who, mailboxId, {
    to: ['eve@elsewhere.test'],
    cc: [],
    bcc: [],
    subject: 'Hello',
    text: 'Hello',
    html: undefined,
    attachments: [],
    draft: false,
  })

const errorOf = (work: Promise<unknown>): Promise<string | null> =>
  work.then(
    () => null,
    (error: { type?: string }) => error.type ?? String(error),
  )

/** Days pass, with the looks that the program makes. */
const days = async (count: number, id: string, { workspaceId }: Who) => {
  for (let day = 0; day < count; day++) {
    app.clock.advance({ days: 1 })
    await checkDomain(app, { id, workspaceId }, 'all')
    await settleOwnership(app)
  }
}

/** Subjects, oldest first, since last asked. */
const told = new Map<string, number>()
const newMailsTo = async (who: Who): Promise<string[]> => {
  const { email } = await app.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', who.userId)
    .executeTakeFirstOrThrow()
  const mails = (await listHeldMails(app)).filter(({ to }) => to === email)
  const subjects = mails.map(({ subject }) => subject).toReversed()
  const before = told.get(who.userId) ?? 0
  told.set(who.userId, subjects.length)
  // Watching tells of records that fail too; here only who holds the domain counts.
  return subjects.slice(before).filter((subject) => !/DNS record/.test(subject))
}

test('a claim against a holder whose record is gone: notice, a week, a reminder, and an empty domain', async () => {
  const old = await aDomainInUse(ada)
  await addAlias(app, ada, old.mailbox.id, { email: `countess@${name}` })
  await setCatchAll(app, ada, old.id, old.mailbox.id)
  const { _id: id } = await addDomain(app, bob, { name })
  await send(ada, old.mailbox.id)
  await published(name, [bob, id])
  expect(await verifyOwnership(app, bob, id)).toMatchObject({
    isVerified: false,
    state: 'waiting',
    explanation: 'Your record is right, but another workspace holds this domain.',
  })
  const decidesAt = new Date(app.clock.now().getTime() + 7 * 86_400_000).toISOString()
  expect(await getOwnership(app, bob, id)).toMatchObject({
    claims: [],
    missing: null,
    ownClaim: { outcome: null, isHolderProven: false, decidesAt, otherRecord: null },
  })
  expect((await listOwnership(app, ada)).domains).toMatchObject([
    { domainId: old.id, claims: [{ decidesAt }], missing: { isSendingStopped: false } },
  ])
  expect(await newMailsTo(ada)).toEqual([`Another workspace has claimed ${name}`])
  expect(await newMailsTo(bob)).toEqual([`You have claimed ${name}`])

  await days(6, id, bob)
  expect((await newMailsTo(ada)).at(-1)).toBe(`${name} goes to another workspace soon`)
  expect(await findRecipient(app, `ada@${name}`)).toMatchObject({ workspaceId: ada.workspaceId })
  await days(1, id, bob)
  expect((await newMailsTo(ada)).at(-1)).toBe(`${name} went to another workspace`)
  expect(await newMailsTo(bob)).toEqual([`${name} is yours`])

  expect(await listDomains(app, ada)).toEqual([])
  expect((await listOwnership(app, ada)).released).toMatchObject([
    { name, reason: 'claimed', mailboxes: 1 },
  ])
  expect(await listDomains(app, bob)).toMatchObject([{ _id: id, isVerified: true, mailboxes: 0 }])
  for (const local of ['ada', 'countess', 'nobody'])
    expect(await findRecipient(app, `${local}@${name}`)).toEqual({ kind: 'unknown' })
  await expectNothingOf(old.id, old.mailbox.id)
  expect((await linesBySystem(app, ada)).filter(isOfClaims)).toEqual([
    ['domainClaimed', name],
    ['domainLost', name],
  ])
  expect(await linesBySystem(app, bob)).toEqual([
    ['claimStarted', name],
    ['claimWon', name],
  ])
  // What was on its way out is not tried again: its bounces would reach the new holder.
  const going = await app.db
    .selectFrom('deliveries')
    .select('status')
    .where('recipient', '=', 'eve@elsewhere.test')
    .execute()
  expect(going.map(({ status }) => status)).toEqual(['failed'])
})

/** In no table any column has the id of the domain or of its mailbox. */
const expectNothingOf = async (...ids: string[]) => {
  const columns = await ask(
    app.database.connection,
    `select table_name, column_name from information_schema.columns
      where table_schema = 'public' and data_type = 'uuid'`,
  )
  expect(columns.length).toBeGreaterThan(40)
  for (const { table_name: table, column_name: column } of columns) {
    const list = ids.map((id) => `'${id}'`).join()
    const left = await ask(
      app.database.connection,
      `select ${column} from ${table} where ${column} in (${list})`,
    )
    expect(left, `${table}.${column}`).toEqual([])
  }
}

test('both records in DNS: nobody loses, and the same claim is not made again and again', async () => {
  const old = await aDomainInUse(ada)
  const { _id: id } = await addDomain(app, bob, { name })
  await published(name, [ada, old.id], [bob, id])
  await verifyOwnership(app, bob, id)
  const { ownClaim } = await getOwnership(app, bob, id)
  expect(ownClaim).toMatchObject({
    isHolderProven: true,
    otherRecord: (await ownershipRecord(app, ada, old.id)).value,
  })
  await days(7, id, bob)
  expect(await getOwnership(app, bob, id)).toMatchObject({ ownClaim: { outcome: 'both-proven' } })
  expect(await newMailsTo(ada)).toEqual([
    `Another workspace has claimed ${name}`,
    `${name} stays with you`,
  ])
  expect(await newMailsTo(bob)).toEqual([
    `You have claimed ${name}`,
    `Your claim on ${name} has ended`,
  ])
  expect((await linesBySystem(app, ada)).filter(isOfClaims)).toEqual([
    ['domainClaimed', name],
    ['domainKept', name],
  ])
  expect(await linesBySystem(app, bob)).toEqual([
    ['claimStarted', name],
    ['claimEnded', name],
  ])
  expect(await errorOf(verifyOwnership(app, bob, id))).toBe('DOMAIN_HELD')
  expect(await newMailsTo(ada)).toEqual([])

  // Whoever runs the DNS removes the old record: then it starts again.
  await published(name, [bob, id])
  await verifyOwnership(app, bob, id)
  expect(await newMailsTo(ada)).toEqual([`Another workspace has claimed ${name}`])
  // And the old one is put back in time.
  await days(3, id, bob)
  await published(name, [ada, old.id])
  await days(5, id, bob)
  expect(await getOwnership(app, bob, id)).toMatchObject({ ownClaim: { outcome: 'lapsed' } })
  expect(await newMailsTo(ada)).toEqual([
    `The ownership record of ${name} is missing`,
    `The ownership record of ${name} is back`,
    `${name} stays with you`,
  ])
})

test('the record of the holder that goes late in a claim still leaves two days, and says so', async () => {
  const old = await aDomainInUse(ada)
  const { _id: id } = await addDomain(app, bob, { name })
  await published(name, [ada, old.id], [bob, id])
  await verifyOwnership(app, bob, id)
  await days(6, id, bob)
  await published(name, [bob, id])
  app.clock.advance({ hours: 23 })
  await checkDomain(app, { id, workspaceId: bob.workspaceId }, 'ownership')
  expect((await newMailsTo(ada)).at(-1)).toBe(
    `${name} goes to another workspace unless its record is back`,
  )
  await days(1, id, bob)
  expect(await listDomains(app, ada)).toHaveLength(1)
  await days(1, id, bob)
  expect(await listDomains(app, ada)).toEqual([])
})

test("whoever puts the record of the holder in and out of DNS fills nobody's mailbox", async () => {
  const { id } = await aDomainInUse(ada)
  const { _id: other } = await addDomain(app, bob, { name })
  await published(name, [ada, id], [bob, other])
  await verifyOwnership(app, bob, other)
  await newMailsTo(ada)
  const inAndOut = async () => {
    app.clock.advance({ seconds: 15 })
    await published(name, [bob, other])
    await verifyOwnership(app, bob, other)
    await published(name, [ada, id], [bob, other])
    await verifyOwnership(app, bob, other)
  }
  const gone = [`${name} goes to another workspace unless its record is back`]
  for (let time = 0; time < 4; time++) await inAndOut()
  expect(await newMailsTo(ada)).toEqual(gone)
  app.clock.advance({ days: 1, seconds: 1 })
  await inAndOut()
  expect(await newMailsTo(ada)).toEqual(gone)
})

test('a claim can be withdrawn, and the holder can release at once', async () => {
  const old = await aDomainInUse(ada)
  const { _id: id } = await addDomain(app, bob, { name })
  await published(name, [bob, id])
  await verifyOwnership(app, bob, id)
  expect(await withdrawClaim(app, bob, id)).toMatchObject({ ownClaim: { outcome: 'withdrawn' } })
  expect(await errorOf(withdrawClaim(app, bob, id))).toBe('NO_OPEN_CLAIM')
  expect((await newMailsTo(ada)).at(-1)).toBe(`${name} stays with you`)
  // Looks that the program makes by itself start no claim that was withdrawn.
  await days(2, id, bob)
  expect(await getOwnership(app, bob, id)).toMatchObject({ ownClaim: { outcome: 'withdrawn' } })

  await verifyOwnership(app, bob, id)
  await deleteDomain(app, ada, old.id)
  await settleOwnership(app)
  expect(await listDomains(app, bob)).toMatchObject([{ isVerified: true, mailboxes: 0 }])
  expect((await newMailsTo(bob)).at(-1)).toBe(`${name} is yours`)
  await expectNothingOf(old.id, old.mailbox.id)
})

test('a proof that is gone stops sending after a week, and is mended at once', async () => {
  const { id, mailbox } = await aDomainInUse(ada)
  await published(name)
  await checkDomain(app, { id, workspaceId: ada.workspaceId }, 'all')
  expect(await newMailsTo(ada)).toEqual([])
  await days(6, id, ada)
  expect(await errorOf(send(ada, mailbox.id))).toBeNull()
  expect(await newMailsTo(ada)).toEqual([`The ownership record of ${name} is missing`])
  await days(1, id, ada)
  expect(await newMailsTo(ada)).toEqual([`Sending from ${name} has stopped`])
  expect(await errorOf(send(ada, mailbox.id))).toBe('SENDING_STOPPED')
  expect(await findRecipient(app, `ada@${name}`)).toMatchObject({ kind: 'mailbox' })
  expect(await getOwnership(app, ada, id)).toMatchObject({ missing: { isSendingStopped: true } })

  app.clock.advance({ minutes: 1 })
  await published(name, [ada, id])
  await verifyDns(app, ada, id)
  expect(await errorOf(send(ada, mailbox.id))).toBeNull()
  expect(await getOwnership(app, ada, id)).toMatchObject({ missing: null })
  expect(await newMailsTo(ada)).toEqual([`The ownership record of ${name} is back`])
  // Some are of one moment.
  expect((await linesBySystem(app, ada)).map(([action]) => action).sort()).toEqual([
    ...['domainActive', 'domainActive', 'domainBroken', 'domainVerified'],
    ...['proofBack', 'proofStopped'],
  ])
})

test('resolver trouble suspends nothing, and a proof that stays away is released after 37 days', async () => {
  const { id, mailbox } = await aDomainInUse(ada)
  dns.isTroubled = true
  await days(60, id, ada)
  dns.isTroubled = false
  expect(await newMailsTo(ada)).toEqual([])
  expect(await getOwnership(app, ada, id)).toMatchObject({ missing: null })

  await published(name)
  await checkDomain(app, { id, workspaceId: ada.workspaceId }, 'all')
  await days(36, id, ada)
  expect(await findRecipient(app, `ada@${name}`)).toMatchObject({ kind: 'mailbox' })
  await days(1, id, ada)
  expect(await newMailsTo(ada)).toEqual([
    `The ownership record of ${name} is missing`,
    `Sending from ${name} has stopped`,
    `${name} will be released in a week`,
    `${name} was released`,
  ])
  expect(await findRecipient(app, `ada@${name}`)).toEqual({ kind: 'foreign' })
  expect(await listOwnership(app, ada)).toMatchObject({
    domains: [],
    released: [{ name, reason: 'proof-missing', mailboxes: 1 }],
  })
  await expectNothingOf(id, mailbox.id)
  expect((await linesBySystem(app, ada)).at(-1)).toEqual(['domainReleased', name])

  // The same workspace starts empty too, with another record and another key.
  const again = await aDomainInUse(ada)
  expect(again.id).not.toBe(id)
  expect((await listOwnership(app, ada)).released).toEqual([])
})

test('a parent and a name below it live in two workspaces, and mail of one never reaches the other', async () => {
  const below = `sub.${name}`
  const parent = await aDomainInUse(ada)
  const child = await aDomainInUse(bob, below)
  expect(await findRecipient(app, `ada@${name}`)).toMatchObject({ mailboxId: parent.mailbox.id })
  expect(await findRecipient(app, `ada@${below}`)).toMatchObject({ mailboxId: child.mailbox.id })
  expect(await findRecipient(app, `ada@other.${name}`)).toEqual({ kind: 'foreign' })
  expect(await findRecipient(app, `bob@${below}`)).toEqual({ kind: 'unknown' })
  expect(await findRecipient(app, `postmaster@${below}`)).toEqual({
    kind: 'role',
    workspaceId: bob.workspaceId,
  })
  // The policy of the parent holds below it too, whoever has the parent; the domain below stays active with it or without.
  dns.zones.remove(`_dmarc.${below}`)
  expect((await verifyDns(app, bob, child.id)).map(({ state }) => state)).not.toContain('waiting')
  await deleteDomain(app, ada, parent.id)
  expect(await findRecipient(app, `ada@${below}`)).toMatchObject({ mailboxId: child.mailbox.id })
  expect(await findRecipient(app, `ada@${name}`)).toEqual({ kind: 'foreign' })
  expect(await errorOf(send(bob, child.mailbox.id))).toBeNull()
})
