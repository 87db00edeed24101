/** SORT and THREAD (RFC 5256, RFC 5957). */
import type { Person } from '#contract/messages.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { baseSubjectOf } from '#server/standards/threading/base-subject.ts'
import { referenceThreads } from '#server/standards/threading/reference-threads.ts'
import { subjectThreads } from '#server/standards/threading/subject-threads.ts'
import type { Thread } from '#server/standards/threading/thread.ts'
import { type FolderAt, openPlace } from './in-folder.ts'
import { type OrderColumn, type RowToOrder, rowsToOrder } from './order-store.ts'

export type { Thread }

export type Order = {
  by: 'arrival' | 'cc' | 'date' | 'from' | 'size' | 'subject' | 'to' | 'displayFrom' | 'displayTo'
  isReverse: boolean
}

/** What is the same by all of the order stays in the order of uids; those that are gone are left out. @throws NOT_EXISTS, FORBIDDEN */
export const orderByUid = async (
  app: App,
  who: Who,
  at: FolderAt,
  uids: readonly number[],
  orders: readonly Order[],
): Promise<number[]> => {
  const place = await openPlace(app, who, at)
  const wanted = [...new Set(orders.flatMap(({ by }) => keys[by].reads))]
  const rows = (await rowsToOrder(app.db, place, uids, wanted)) as RowToOrder[]
  const keyed = rows.map((row) => ({
    uid: row.uid,
    keys: orders.map(({ by }) => keys[by].keyOf(row)),
  }))
  return keyed
    .toSorted((a, b) => compared(a.keys, b.keys, orders) || a.uid - b.uid)
    .map(({ uid }) => uid)
}

type Key = string | number

const compared = (a: readonly Key[], b: readonly Key[], orders: readonly Order[]): number => {
  for (const [n, { isReverse }] of orders.entries()) {
    const [one = 0, other = 0] = [a[n], b[n]]
    if (one !== other) return (one < other ? -1 : 1) * (isReverse ? -1 : 1)
  }
  return 0
}

/** The part before the @. */
const mailboxOf = (person: Person | null): string =>
  (person?.address ?? '').replace(/@[^@]*$/, '').toUpperCase()
const shownName = (person: Person | null): string =>
  (person?.name || person?.address || '').toUpperCase()

type KeyOf = { reads: readonly OrderColumn[]; keyOf: (row: RowToOrder) => Key }

const keys: Record<Order['by'], KeyOf> = {
  arrival: { reads: ['date'], keyOf: ({ date }) => date.getTime() },
  cc: { reads: ['cc'], keyOf: ({ cc }) => mailboxOf(cc) },
  date: { reads: ['date', 'sentDate'], keyOf: (row) => sentAt(row) },
  from: { reads: ['from'], keyOf: ({ from }) => mailboxOf(from) },
  size: { reads: ['sizeBytes'], keyOf: ({ sizeBytes }) => sizeBytes },
  subject: {
    reads: ['subject'],
    keyOf: ({ subject }) => baseSubjectOf(subject).base.toUpperCase(),
  },
  to: { reads: ['to'], keyOf: ({ to }) => mailboxOf(to) },
  displayFrom: { reads: ['from'], keyOf: ({ from }) => shownName(from) },
  displayTo: { reads: ['to'], keyOf: ({ to }) => shownName(to) },
}

/** Of the field Date; where it cannot be read, of arrival (RFC 5256 §2.2). */
const sentAt = ({ sentDate, date }: Pick<RowToOrder, 'sentDate' | 'date'>): number => {
  const time = Date.parse((sentDate ?? '').replace(/\([^)]*\)/g, ''))
  return Number.isNaN(time) ? date.getTime() : time
}

const threaded = ['date', 'sentDate', 'subject', 'messageId', 'inReplyTo', 'references'] as const

/** In the order of dates; `subject`: ORDEREDSUBJECT. @throws NOT_EXISTS, FORBIDDEN */
export const threadByUid = async (
  app: App,
  who: Who,
  at: FolderAt,
  uids: readonly number[],
  by: 'references' | 'subject' = 'references',
): Promise<Thread[]> => {
  const place = await openPlace(app, who, at)
  const rows = await rowsToOrder(app.db, place, uids, threaded)
  const messages = rows.map(({ uid, messageId, inReplyTo, references, subject, ...dates }) => ({
    ...{ uid, messageId, subject, sentAt: sentAt(dates) },
    ancestors: references.length > 0 || inReplyTo === null ? references : [inReplyTo],
  }))
  return by === 'subject' ? subjectThreads(messages) : referenceThreads(messages)
}
