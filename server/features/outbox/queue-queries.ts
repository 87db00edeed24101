/** The queue as operators see and change it. What a worker has in hand is left to it. */
import { sql } from 'kysely'
import type { QueueTarget } from '#contract/operator/queue.ts'
import type { PagePosition } from '#server/lib/page-cursor.ts'
import type { Db } from '#server/storage/database.ts'

export type QueueGroupRow = {
  destination: string
  reason: string
  count: number
  held: number
  oldestAt: Date
  nextAttemptAt: Date
}

/** The largest first. Mails that are shown at /dev/outbox wait for nothing. */
export const readQueueGroups = async (db: Db, limit: number): Promise<QueueGroupRow[]> => {
  const { rows } = await sql<QueueGroupRow>`
    select recipient_domain as destination, last_reply as reason, count(*) as count, count(held_at) as held,
      min(d.created_at) as "oldestAt", min(next_attempt_at) as "nextAttemptAt"
    from deliveries d join outbox_messages o on o.id = d.outbox_message_id
    where d.status in ('queued', 'sending') and not o.is_held
    group by recipient_domain, last_reply
    order by count(*) desc, recipient_domain, last_reply limit ${limit}`.execute(db)
  return rows
}

export const countQueue = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from deliveries d join outbox_messages o on o.id = d.outbox_message_id
    where d.status in ('queued', 'sending') and not o.is_held`.execute(db)
  return rows[0]?.count ?? 0
}

export type Waiting = {
  /** Since when the one that is due longest is due; null: none is queued. */
  dueSince: Date | null
  oldestAt: Date | null
  /** Tried before, and queued between `lateAfter` and `lateBefore`. */
  late: number
  lateDomains: number
}

/** Of what waits for other servers or for a worker: neither held nor last answered by one of `notReplies`. */
export const readWaiting = async (
  db: Db,
  {
    lateAfter,
    lateBefore,
    notReplies,
  }: { lateAfter: Date; lateBefore: Date; notReplies: readonly string[] },
): Promise<Waiting> => {
  const isLate = sql`filter (where d.attempts > 0 and d.created_at between ${lateAfter} and ${lateBefore})`
  const { rows } = await sql<Waiting>`
    select min(next_attempt_at) filter (where d.status = 'queued') as "dueSince", min(d.created_at) as "oldestAt",
      count(*) ${isLate} as late, count(distinct recipient_domain) ${isLate} as "lateDomains"
    from deliveries d join outbox_messages o on o.id = d.outbox_message_id
    where d.status in ('queued', 'sending') and not o.is_held and d.held_at is null
      and last_reply <> all(${[...notReplies]}::text[])`.execute(db)
  return rows[0] ?? { dueSince: null, oldestAt: null, late: 0, lateDomains: 0 }
}

export type QueueRow = {
  id: string
  mailFrom: string
  recipient: string
  workspaceId: string | null
  status: 'queued' | 'sending'
  heldAt: Date | null
  attempts: number
  lastReply: string
  sizeBytes: number
  createdAt: Date
  nextAttemptAt: Date
}

/** The oldest first. `after`: behind this one. */
export const readQueue = async (
  db: Db,
  target: QueueTarget | null,
  { after, limit }: { after: PagePosition | null; limit: number },
): Promise<QueueRow[]> => {
  const isBehind =
    after === null ? sql`true` : sql`(d.created_at, d.id) > (${after.at}, ${after.id}::uuid)`
  const { rows } = await sql<QueueRow>`
    select d.id, o.mail_from as "mailFrom", d.recipient, d.workspace_id as "workspaceId", d.status, d.held_at as "heldAt",
      d.attempts, d.last_reply as "lastReply", o.size_bytes as "sizeBytes", d.created_at as "createdAt",
      d.next_attempt_at as "nextAttemptAt"
    from deliveries d join outbox_messages o on o.id = d.outbox_message_id
    where d.status in ('queued', 'sending') and not o.is_held and ${isTarget(target)} and ${isBehind}
    order by d.created_at, d.id limit ${limit}`.execute(db)
  return rows
}

/** Also all of one mailbox, whichever of its addresses sent it. */
type AnyTarget = QueueTarget | { by: 'mailbox'; value: string }

const isTarget = (target: AnyTarget | null) => {
  if (target === null) return sql<boolean>`true`
  const { by, value } = target
  switch (by) {
    case 'destination':
      return sql<boolean>`d.recipient_domain = ${value.toLowerCase()}`
    case 'sender':
      return sql<boolean>`lower(o.mail_from) = ${value.toLowerCase()}`
    case 'mailbox':
      return sql<boolean>`o.mailbox_id = ${value}`
    case 'workspace':
      return sql<boolean>`d.workspace_id::text = ${value.toLowerCase()}`
    case 'delivery':
      return sql<boolean>`d.id::text = ${value.toLowerCase()}`
  }
}

const changes = {
  retry: (now: Date) => sql`next_attempt_at = ${now}, held_at = null`,
  hold: (now: Date) => sql`held_at = coalesce(held_at, ${now})`,
  release: (now: Date) => sql`next_attempt_at = ${now}, held_at = null`,
  drop: (now: Date) =>
    sql`status = 'failed', last_reply = 'Dropped by the operator of this installation', finished_at = ${now}, held_at = null`,
}

/** All that waits, and what a worker of another time had in hand. @returns how many */
export const holdQueue = async (tx: Db, now: Date): Promise<number> => {
  const { numAffectedRows } = await sql`
    update deliveries d set held_at = ${now} from outbox_messages o
    where o.id = d.outbox_message_id and d.status in ('queued', 'sending') and not o.is_held and d.held_at is null`.execute(
    tx,
  )
  return Number(numAffectedRows ?? 0)
}

/** @returns how many; those that a worker has in hand are not among them */
export const changeQueued = async (
  tx: Db,
  change: keyof typeof changes,
  target: AnyTarget,
  now: Date,
): Promise<number> => {
  const isHeld = change === 'release' ? sql`and held_at is not null` : sql``
  const { numAffectedRows } = await sql`
    update deliveries set ${changes[change](now)} where id in (
      select d.id from deliveries d join outbox_messages o on o.id = d.outbox_message_id
      where d.status = 'queued' and not o.is_held and ${isTarget(target)}
      for update of d skip locked
    ) and status = 'queued' ${isHeld}`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
