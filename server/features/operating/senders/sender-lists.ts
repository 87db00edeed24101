/** Senders and networks that are blocked or allowed here, as operators keep them (decision 109). */
import { networkInterfaces } from 'node:os'
import { AppError, invalidField } from '#contract/errors.ts'
import type { AddedSender, ListedOrder, ListedSender } from '#contract/operator/lists.ts'
import { domainRows } from '#server/features/domains/domain-queries.ts'
import {
  keepListed,
  type ListedRow,
  listedRows,
  removeListed,
} from '#server/features/junk/sender-list-queries.ts'
import { type Operator, operate } from '#server/features/operators/operators.ts'
import { timeText } from '#server/lib/clock.ts'
import { isId, newId } from '#server/lib/ids.ts'
import { type Listing, type Paged, pageOf, soughtBy } from '#server/lib/list-pages.ts'
import { domainOf } from '#server/standards/address.ts'
import {
  isWithin,
  type Listed,
  readListed,
  shownListed,
} from '#server/standards/junk/sender-list.ts'
import type { Db } from '#server/storage/database.ts'
import { announceSenderList } from '#server/storage/notifications.ts'
import type { HealthApp } from '../health/finding.ts'
import { sendingAddresses } from '../health/own-addresses.ts'
import { countListed, readListedPage } from './sender-lists-store.ts'

/** Each process keeps a copy of all. */
const MOST_LISTED = 10_000

/** `q`: words in the sender or in the note. */
export const listListed = async (
  { db, clock }: Pick<HealthApp, 'db' | 'clock'>,
  listing: Listing<ListedOrder>,
): Promise<Paged<ListedSender> & { total: number }> => {
  const search = { ...soughtBy(listing), now: clock.now() }
  const [{ items, ...page }, total] = await Promise.all([
    pageOf(listing, 'time', (range) => readListedPage(db, search, range)),
    countListed(db, search),
  ])
  return { ...page, items: items.map(({ sortValue: _, ...row }) => toListed(row)), total }
}

const toListed = ({ id, endsAt, madeAt, ...row }: ListedRow): ListedSender => ({
  ...{ _id: id, ...row, value: shownListed(row) },
  ...{ endsAt: endsAt?.toISOString() ?? null, madeAt: madeAt.toISOString() },
})

/** One that is listed is changed. @throws VALIDATION; STATUS_NOT_ALLOWED when the list is full */
export const addListed = async (
  app: HealthApp,
  operator: Operator,
  { value, action, note, endsAt }: AddedSender,
): Promise<ListedSender> => {
  const listed = readListed(value)
  if ('refusal' in listed) throw invalidField('value', listed.refusal)
  const now = app.clock.now()
  const end = endsAt === null ? null : new Date(endsAt)
  if (end !== null && end <= now) throw invalidField('endsAt', 'This day is over')
  if (action === 'block') await refuseOwn(app, listed)
  return operate(app, operator, async (tx) => {
    await refuseMore(tx, now)
    const made = { madeBy: operator, madeAt: now }
    const row = await keepListed(tx, { id: newId(), ...listed, action, note, endsAt: end, ...made })
    await announceSenderList(tx)
    return { action: { verb: 'blocklist add', ...recordOf(row) }, answer: toListed(row) }
  })
}

/** By its id, or as it is written. @throws NOT_EXISTS */
export const removeFromList = (
  app: Pick<HealthApp, 'db' | 'clock'>,
  operator: Operator,
  wanted: string,
): Promise<ListedSender> =>
  operate(app, operator, async (tx) => {
    const row = await removeListed(tx, isId(wanted) ? wanted : await idOf(tx, wanted))
    if (row === undefined) throw new AppError('NOT_EXISTS')
    await announceSenderList(tx)
    return { action: { verb: 'blocklist remove', ...recordOf(row) }, answer: toListed(row) }
  })

const idOf = async (tx: Db, wanted: string): Promise<string> => {
  const listed = readListed(wanted)
  if ('refusal' in listed) throw new AppError('NOT_EXISTS')
  const row = await listedRows(tx, new Date(0))
    .where('kind', '=', listed.kind)
    .where('value', '=', listed.value)
    .executeTakeFirst()
  if (row === undefined) throw new AppError('NOT_EXISTS')
  return row.id
}

const recordOf = (row: ListedRow) => ({
  ...{ workspaceId: null, subject: shownListed(row) },
  detail: [row.action, row.endsAt && `until ${timeText(row.endsAt)}`, row.note]
    .filter(Boolean)
    .join(', '),
})

const refuseMore = async (tx: Db, now: Date): Promise<void> => {
  const listed = await listedRows(tx, now)
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (listed.count >= MOST_LISTED)
    throw new AppError('STATUS_NOT_ALLOWED', {
      message: `The list has ${MOST_LISTED} entries, which is the most. Please remove some, or list a network in place of its addresses`,
    })
}

/** Nobody here could be written to any more. @throws VALIDATION */
const refuseOwn = async (app: HealthApp, { kind, value }: Listed): Promise<void> => {
  if (kind === 'network') {
    const interfaces = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
    const sending = (await sendingAddresses(app)) ?? []
    const own = [...sending, ...interfaces.map(({ address }) => address)]
    const found = own.find((ip) => isWithin(value, ip))
    if (found === undefined) return
    throw invalidField('value', `${found} is an address of this installation`)
  }
  const domain = kind === 'address' ? domainOf(value) : value
  const { mailHost } = app.config
  const isOfHost = mailHost === domain || (kind === 'domain' && mailHost.endsWith(`.${domain}`))
  const own = isOfHost ? mailHost : await hostedName(app.db, domain, kind)
  if (own !== null) throw invalidField('value', `${own} is a domain of this installation`)
}

/** A proven domain here, this one or for a listed domain one below it; null: none. */
const hostedName = async (db: Db, domain: string, kind: Listed['kind']): Promise<string | null> => {
  const row = await domainRows(db)
    .where('isVerified', '=', true)
    .where(({ or, eb }) =>
      or([
        eb('name', '=', domain),
        ...(kind === 'domain' ? [eb('name', 'like', `%.${domain}`)] : []),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return row?.name ?? null
}
