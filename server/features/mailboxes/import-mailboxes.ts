/** Mailboxes from a table: all rows are judged in one pass against the database, and inserted in bulk. */
import { deletedSentence } from '#contract/deletions.ts'
import type { importMailboxes as importMailboxesRoute } from '#contract/many-mailboxes.ts'
import type { Input, Output } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import { endLinksMailedTo } from '#server/features/accounts/holders.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { type DomainRow, lockDomains } from '#server/features/domains/domain-queries.ts'
import { settingsNow } from '#server/features/operators/chosen-settings.ts'
import { holdRight } from '#server/features/workspaces/hold-right.ts'
import { newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { takenAddresses } from './addresses-store.ts'
import {
  type Judged,
  namesIn,
  type Places,
  personKey,
  readRow,
  readTable,
  readWebSites,
  ready,
  refuse,
  refuseBeyond,
  refuseKnown,
  refuseWithin,
} from './judge-import.ts'
import { countMailboxes, findPeople, insertMailboxes } from './new-mailboxes-store.ts'
import { announceMailboxes, firstStatus, mailboxLimitOf } from './place-mailboxes.ts'
import { proposeAddresses } from './propose-addresses.ts'

type Form = Input<typeof importMailboxesRoute>['body']

/** A row of the database has ten values, and a statement takes 65,535. */
const ROWS_PER_INSERT = 1000

export const importMailboxes = async (
  app: App,
  who: Who,
  form: Form,
): Promise<Output<typeof importMailboxesRoute>> => {
  const options = { domain: form.domain?.trim() ?? '', isGerman: form.spelling === 'german' }
  const rows = readTable(form.table).map((row) => readRow(row, options))
  return app.db.transaction().execute(async (tx) => {
    await holdRight(tx, who, 'manage-mailboxes')
    const domainIds = await judge(app, tx, who.workspaceId, rows)
    const isRefused = form.mode === 'all' && ready(rows).length < rows.length
    const created = form.dryRun || isRefused ? 0 : await create(app, tx, who, rows, domainIds)
    return { created, rows: rows.map(({ domain: _, localPart: __, ...row }) => row) }
  })
}

/** @returns the ids of the domains by name; they are locked. */
const judge = async (
  app: App,
  tx: Db,
  workspaceId: string,
  rows: Judged[],
): Promise<Map<string, string>> => {
  const domains = new Map(
    (await lockDomains(tx, workspaceId, namesIn(rows))).map((domain) => [domain.name, domain]),
  )
  readWebSites(rows, domains)
  refuseWithin(rows, domains)
  const given = ready(rows).filter(({ localPart }) => localPart === '')
  const taken = await takenAddresses(
    tx,
    given.map(({ email }) => email),
  )
  for (const row of given) {
    const holder = taken.get(row.email)
    if (!holder) continue
    if (holder.endsAt !== null && holder.workspaceId === workspaceId) {
      refuse(row, taking(deletedSentence(holder.mailboxEmail, holder.endsAt)))
      continue
    }
    const isOurAlias = holder.isAlias && holder.workspaceId === workspaceId
    refuse(row, taking(isOurAlias ? `address is an alias of ${holder.mailboxEmail}` : TAKEN))
  }
  const ids = new Map([...domains.values()].map(({ name, id }) => [name, id]))
  const people = await findPeople(tx, workspaceId, [...ids.values()])
  refuseKnown(rows, new Map(people.map((one) => [personKey(one.domain, one), one.email])))
  const counts = await countMailboxes(tx, workspaceId, [...ids.values()])
  refuseBeyond(rows, placesOf(await settingsNow({ ...app, db: tx }), [...domains.values()], counts))
  await giveAddresses(tx, rows)
  return ids
}

/** Rows that are created choose first. */
const giveAddresses = async (tx: Db, rows: readonly Judged[]): Promise<void> => {
  const nameless = ready(rows).filter(({ localPart }) => localPart !== '')
  const known = rows.filter(({ fault }) => fault === 'name-taken')
  const used = new Set(ready(rows).map(({ email }) => email))
  const proposed = await proposeAddresses(tx, [...nameless, ...known], used)
  nameless.forEach((row, index) => {
    row.email = proposed[index] ?? ''
  })
  known.forEach((row, index) => {
    row.otherEmail = proposed[nameless.length + index] ?? null
  })
}

const TAKEN = 'address is taken'
const taking = (reason: string) => ({ fault: 'address-taken' as const, reason })

const placesOf = (
  settings: Parameters<typeof mailboxLimitOf>[0],
  domains: readonly DomainRow[],
  counts: ReadonlyMap<string, number>,
): Map<string, Places> =>
  new Map(
    domains.map((domain) => {
      const limit = mailboxLimitOf(settings, domain)
      return [domain.name, { limit, free: limit - (counts.get(domain.id) ?? 0) }]
    }),
  )

/** @returns how many were created; each is marked. */
const create = async (
  app: App,
  tx: Db,
  who: Who,
  rows: readonly Judged[],
  domainIds: ReadonlyMap<string, string>,
): Promise<number> => {
  const wanted = ready(rows)
  if (wanted.length === 0) return 0
  const createdAt = app.clock.now()
  const made = new Map<string, string>()
  for (let from = 0; from < wanted.length; from += ROWS_PER_INSERT) {
    const mailboxes = wanted.slice(from, from + ROWS_PER_INSERT).map((row, index) => ({
      // Among mailboxes with the same creation time the list shows the highest id first.
      id: newId(createdAt.getTime() + wanted.length - from - index),
      workspaceId: who.workspaceId,
      domainId: domainIds.get(row.domain) ?? '',
      firstName: row.firstName,
      lastName: row.lastName,
      email: row.email,
      signature: '',
      status: firstStatus(app),
      createdAt,
    }))
    for (const { id, email } of await insertMailboxes(tx, who.userId, mailboxes))
      made.set(email, id)
  }
  for (const row of wanted)
    if (made.has(row.email)) Object.assign(row, { result: 'created', id: made.get(row.email) })
    else refuse(row, taking(TAKEN))
  await endLinksMailedTo(app, tx, [...made.keys()])
  await announceMailboxes(tx, who.workspaceId)
  return made.size
}
