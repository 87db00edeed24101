/** The people whose screens are looked at: one with nothing yet, one with far too much, and long names for all of it. */
import { domainToASCII } from 'node:url'
import type { Browser, BrowserContext, BrowserContextOptions } from '@playwright/test'
import type { DnsRecord, RecordState } from '#contract/domains.ts'
import { newId } from '#server/lib/ids.ts'
import { aDomain, aMailbox, aUser, aWorkspace, type Domain, letRead } from '#test-world/builders.ts'
import { type Account, anActiveDomain, PASSWORD, publish } from '#test-world/trials/account.ts'
import { aPerson, makeOperator, type Person, type Setting } from '../specification/setting.ts'
import { fillAccess } from './access/fill-access.ts'
import { accountOf } from './account-of.ts'
import { fillAddresses } from './addresses/fill-addresses.ts'
import { aDeletedDomain, aSilentDomain } from './domains/deleted-domain.ts'
import { fillMail } from './fill-mail.ts'
import { fillInvoices } from './invoices.ts'
import type { LetterKey } from './letters.ts'
import { fillOperating } from './operator/fill-operating.ts'
import { fillOwnership, type QuestionedDomains } from './ownership/fill-ownership.ts'
import { fillStop } from './sending/fill-stop.ts'

export type World = {
  setting: Setting
  newcomer: Person
  member: Person
  editor: Person
  user: Person
  holder: Person
  operator: Person
  /** Ids of domains by how far they are. */
  domains: Record<'active' | 'faulty' | 'moving' | 'waiting' | 'silent' | 'deleted', string> &
    QuestionedDomains
  /** URLs of DNS links. */
  dnsLinks: Record<'active' | 'faulty' | 'moving' | 'several', string>
  mailboxId: string
  /** Another one, which may not send. */
  stoppedMailboxId: string
  /** One that its holder signs in to. */
  heldMailboxId: string
  messages: Record<LetterKey, string>
}

const LONG_NAMES: readonly (readonly [string, string])[] = [
  ['Ada', 'Lovelace'],
  ['Maximiliane-Alexandrina', 'von Hohenzollern-Sigmaringen-Württemberg'],
  ['محمد بن عبد الرحمن', 'الأنصاري القرطبي'],
  ['Wolfeschlegelsteinhausen', 'Bergerdorffwelchevoralternwaren'],
  ['שרה', 'בן־גוריון'],
  ['Nguyễn Thị Minh', 'Khai'],
  ['李', '小龍'],
]

const DOMAIN_NAMES = [
  'münchner-straßenbahn-gesellschaft.example',
  'دانشگاه-تهران.example',
  'sales.of-the-northern-department.with-a-very-long-name.analytical-engines-and-sons.example',
  'ελληνικά-ονόματα.example',
]

/** Given once per run: everything below is rows, but for three domains and the mails, which come by the real ways. */
export const openWorld = async (
  setting: Setting,
  browser: Browser,
  options: BrowserContextOptions,
): Promise<World> => {
  const newcomer = await aSomebody(setting, browser, options, {})
  const member = await aSomebody(setting, browser, options, {
    firstName: 'Maximiliane-Alexandrina',
    lastName: 'von Hohenzollern-Sigmaringen-Württemberg',
    email: `maximiliane-alexandrina.von-hohenzollern-sigmaringen-${crypto.randomUUID().slice(0, 8)}@elsewhere.example`,
  })
  await fillWorkspace(setting, member)
  const { workspace } = member
  const editor = await aSomebody(setting, browser, options, { role: 'Editor', workspace })
  const user = await aSomebody(setting, browser, options, { role: 'User', workspace })
  const operator = await aSomebody(setting, browser, options, {})
  await makeOperator(setting, operator)
  const { domains, active, dnsLinks } = await fillDomains(setting, member)
  const stoppedMailboxId = await fillStop(setting, member, active)
  const mailboxId = await fillMailboxes(setting, member, user, active)
  const held = await fillAccess(setting, member, accountOf(member), active, { browser, options })
  await fillAddresses(accountOf(member), mailboxId, active)
  const messages = await fillMail(setting, member, active, mailboxId)
  await fillOperating(setting, operator, member)
  const people = { newcomer, member, editor, user, operator, ...held }
  return { setting, ...people, domains, dnsLinks, mailboxId, stoppedMailboxId, messages }
}

const aSomebody = async (
  setting: Setting,
  browser: Browser,
  options: BrowserContextOptions,
  given: Parameters<typeof aPerson>[3],
): Promise<Person> => {
  const context = await browser.newContext(options)
  return aPerson(setting, context, await context.newPage(), given)
}

/** Another browser of the same person. */
export const signInAgain = async (
  { setting }: Pick<World, 'setting'>,
  { email }: Person,
  context: BrowserContext,
): Promise<void> => {
  const data = { email, password: PASSWORD }
  await context.request.post(`${setting.product.url}/api/v1/auth/login`, { data })
}

const fillWorkspace = async (setting: Setting, { workspace, user }: Person): Promise<void> => {
  const { db, clock } = setting
  const name =
    'Königlich-Preußische Gesellschaft für Analytische Maschinen und Rechenwerke zu Berlin'
  await db.updateTable('workspaces').set({ name }).where('id', '=', workspace.id).execute()
  for (const other of ['Northern Light Post Office', 'شركة البريد الحديثة المحدودة'])
    await aWorkspace(setting, { name: other, members: [{ user, role: 'Admin' }] })
  for (const [at, [firstName, lastName]] of [...LONG_NAMES, ...LONG_NAMES].entries()) {
    const lastLoginAt = at % 3 === 0 ? null : new Date(clock.now().getTime() - at * 86_400_000)
    const member = await aUser(setting, { firstName, lastName, lastLoginAt })
    const role = (['Admin', 'Editor', 'User'] as const)[at % 3] ?? 'User'
    await db
      .insertInto('members')
      .values({ workspaceId: workspace.id, userId: member.id, role, createdAt: clock.now() })
      .execute()
  }
  for (const [at, role] of (['Admin', 'Editor', 'User'] as const).entries()) {
    const sentAt = new Date(clock.now().getTime() - at * 4 * 86_400_000)
    await db
      .insertInto('invitations')
      .values({
        ...{ id: newId(), workspaceId: workspace.id, role, invitedBy: user.id, sentAt },
        email: `${'maximiliane-alexandrina-'.repeat(at)}grace@of-the-northern-department.example`,
        expiresAt: new Date(sentAt.getTime() + 7 * 86_400_000),
        ...{ outcome: null, endedAt: null },
      })
      .execute()
  }
  await db
    .insertInto('companyProfiles')
    .values({
      ...{ workspaceId: workspace.id, name, website: 'https://analytical-engines.example' },
      ...{ phone: '+44 20 7946 0958', address: '12 St James’s Square, Marylebone', zipCode: 'W1A' },
      ...{ country: 'uk', city: 'London', timeZone: 'gmt', timeFormat: '24h' },
      updatedAt: clock.now(),
    })
    .execute()
  await fillInvoices(setting, workspace.id, { buyerName: name, domains: DOMAIN_NAMES })
}

const fillDomains = async (setting: Setting, person: Person) => {
  const { product } = setting
  const account = accountOf(person)
  const active = await anActiveDomain(product, account, 'analytical-engines.example')
  const faulty = await account.ask('POST', '/domains', { name: 'faulty.example' })
  product.dns.zone('faulty.example')
  publish(product, [await account.ask('GET', `/dns-records/ownership/${faulty._id}`)])
  await account.ask('POST', `/dns-records/verify-ownership/${faulty._id}`)
  const records = await account.ask('GET', `/dns-records/dns/${faulty._id}`)
  for (const { purpose, name, value } of records)
    if (purpose === 'dkim') product.dns.set(name, 'TXT', [value.slice(0, 255)])
  product.dns.set('faulty.example', 'TXT', [
    'v=spf1 include:_spf.bigmail.example ~all',
    'v=spf1 a mx -all',
  ])
  await account.ask('POST', `/dns-records/verify-dns/${faulty._id}`)
  const moving = await aDomainElsewhere(setting, account, 'moving.example')
  const waiting = await account.ask('POST', '/domains', { name: 'waiting.example' })
  const names = [
    ...DOMAIN_NAMES.map(domainToASCII),
    ...Array.from({ length: 20 }, (_, n) => `branch-${n}.analytical-engines.example`),
  ]
  for (const [n, name] of names.entries()) await aDomainInTheList(setting, person, name, n)
  const deleted = await aDeletedDomain(setting, person)
  const silent = await aSilentDomain(setting, person)
  const ids = {
    ...{ active: active._id, faulty: faulty._id, moving, waiting: waiting._id },
    ...{ silent, deleted },
  }
  const questioned = await fillOwnership(setting, account)
  const linkTo = async (id: string): Promise<string> =>
    (await account.ask('POST', `/domains/${id}/dns-links`, { days: 7 })).url
  const linkToAll = async (all: string[]): Promise<string> =>
    (await account.ask('POST', '/dns-links', { ids: all, days: 7 })).url
  const dnsLinks = {
    active: await linkTo(ids.active),
    faulty: await linkTo(ids.faulty),
    moving: await linkTo(ids.moving),
    several: await linkToAll([ids.active, ids.faulty, ids.moving]),
  }
  return { active, domains: { ...ids, ...questioned }, dnsLinks }
}

/** DNS at Cloudflare and mail at Google; its key is published but not seen yet, and a word of its SPF is missing. */
const aDomainElsewhere = async (
  { product: { dns } }: Setting,
  account: Account,
  name: string,
): Promise<string> => {
  dns.zone(name)
  const nameServers = ['adalbert.ns.cloudflare.com', 'wilhelmina.ns.cloudflare.com']
  for (const host of nameServers) dns.set(host, 'A', ['127.0.0.1'])
  dns.set(name, 'NS', nameServers)
  dns.set(name, 'MX', ['1 smtp.google.com'])
  dns.set('_spf.google.com', 'TXT', ['v=spf1 ip4:35.190.247.0/24 ~all'])
  dns.set('servers.mcsv.net', 'TXT', ['v=spf1 ip4:205.201.128.0/20 ~all'])
  dns.set(name, 'TXT', ['v=spf1 include:_spf.google.com include:servers.mcsv.net ~all'])
  dns.set(`_dmarc.${name}`, 'TXT', ['v=DMARC1; p=quarantine'])
  const { _id } = await account.ask('POST', '/domains', { name })
  publish({ dns }, [await account.ask('GET', `/dns-records/ownership/${_id}`)])
  await account.ask('POST', `/dns-records/verify-ownership/${_id}`)
  const records: DnsRecord[] = await account.ask('GET', `/dns-records/dns/${_id}`)
  publish(
    { dns },
    records.filter(({ purpose }) => purpose === 'dkim'),
  )
  for (const record of records) if (record.purpose === 'dkim') dns.setCached(record.name, 'TXT', [])
  await account.ask('POST', `/dns-records/verify-dns/${_id}`)
  return _id
}

const aDomainInTheList = async (
  setting: Setting,
  { workspace }: Person,
  name: string,
  n: number,
): Promise<void> => {
  const state = (['verified', 'verified', 'waiting', 'different'] as const)[n % 4] ?? 'waiting'
  const isActive = state === 'verified'
  const domain = await aDomain(setting, {
    ...{ workspaceId: workspace.id, name, active: isActive, verified: state !== 'waiting' },
  })
  await setting.db
    .insertInto('domainRecords')
    .values(
      (['ownership', 'spf', 'dkim', 'dmarc'] as const).map((purpose, position) => ({
        ...{ domainId: domain.id, workspaceId: workspace.id, purpose, position, name, value: 'v' },
        ...{ type: 'TXT' as const, ttl: 3600, priority: null, isRequired: true, found: '[]' },
        state: position === 0 && state !== 'waiting' ? 'verified' : (state satisfies RecordState),
        ...{ checkedAt: setting.clock.now(), nextCheckAt: null, changedAt: null },
      })),
    )
    .execute()
}

/** Suspended for its invoice. */
const UNPAID = 27
export const UNPAID_ADDRESS = `person.number-${UNPAID}@analytical-engines.example`

const fillMailboxes = async (
  setting: Setting,
  person: Person,
  reader: Person,
  active: { _id: string; name: string },
): Promise<string> => {
  const domain = {
    ...active,
    id: active._id,
    workspaceId: person.workspace.id,
  } as unknown as Domain
  for (let n = 40; n > 0; n--) {
    const [firstName, lastName] = LONG_NAMES[n % LONG_NAMES.length] ?? ['Ada', 'Lovelace']
    const localPart =
      n % 5 === 0
        ? `the-office-of-the-principal-secretary-for-correspondence-${n}`
        : `person.number-${n}`
    const status = n % 6 === 0 ? 'inactive' : n % 9 === 0 ? 'suspended' : 'active'
    const isOverdue = n === UNPAID
    const names = { localPart, firstName, lastName }
    const made = await aMailbox(setting, { domain, ...names, status, isOverdue })
    if (isOverdue) await letRead(setting, made, person.user.id)
  }
  const mailbox = await aMailbox(setting, {
    ...{ domain, localPart: 'ada', firstName: 'Ada', lastName: 'Lovelace' },
    signature: '<p>Ada Lovelace<br>Analytical Engines</p>',
  })
  for (const { user } of [person, reader]) await letRead(setting, mailbox, user.id)
  return mailbox.id
}
