/**
 * How processes wake each other: PostgreSQL NOTIFY, sent inside the transaction that changed something
 * and delivered when it commits.
 */
import { sql } from 'kysely'
import type { Changed } from '#contract/events.ts'
import type { Db } from './database.ts'

export const CHANGED_CHANNEL = 'mailstead_changed'
export const OUTBOX_CHANNEL = 'mailstead_outbox'
export const SESSIONS_ENDED_CHANNEL = 'mailstead_sessions_ended'

/** Tells every open page of these workspaces to read a list again. */
export const announceChange = async (db: Db, ...changed: Changed[]): Promise<void> => {
  const told = changed.map((change) => JSON.stringify(change))
  await sql`select pg_notify(${CHANGED_CHANNEL}, told) from unnest(${told}::text[]) told`.execute(
    db,
  )
}

/** To members the list of mailboxes too; the holder hears of nothing but messages. */
export const announceMailbox = (
  db: Db,
  { workspaceId, mailboxId }: { workspaceId: string; mailboxId: string },
): Promise<void> =>
  announceChange(
    db,
    { topic: 'mailboxes', workspaceId },
    { topic: 'messages', workspaceId, mailboxId },
  )

/** Wakes the outbound workers. */
export const announceDelivery = async (db: Db): Promise<void> => {
  await sql`select pg_notify(${OUTBOX_CHANNEL}, '')`.execute(db)
}

/** Cuts the event streams of sessions that are over. */
export const announceSessionsEnded = async (db: Db): Promise<void> => {
  await sql`select pg_notify(${SESSIONS_ENDED_CHANNEL}, '')`.execute(db)
}

/** Event streams learn which workspaces their readers are in now. */
export const announceMembership = (db: Db): Promise<void> => announceSessionsEnded(db)
