/**
 * Processes wake each other by PostgreSQL NOTIFY, sent inside the transaction that made the change and delivered at its commit.
 */
import { sql } from 'kysely'
import type { Changed } from '#contract/events.ts'
import type { Db } from './database.ts'

export const CHANGED_CHANNEL = 'mailstead_changed'
export const OUTBOX_CHANNEL = 'mailstead_outbox'
export const SESSIONS_ENDED_CHANNEL = 'mailstead_sessions_ended'
export const SIGN_INS_CHANNEL = 'mailstead_sign_ins'
export const CERTIFICATES_CHANNEL = 'mailstead_certificates'
export const WEBHOOKS_CHANNEL = 'mailstead_webhooks'
export const SENDER_LIST_CHANNEL = 'mailstead_sender_list'

/** Tells every open page of these workspaces to reload a list. */
export const announceChange = async (db: Db, ...changed: Changed[]): Promise<void> => {
  const payloads = changed.map((change) => JSON.stringify(change))
  await sql`select pg_notify(${CHANGED_CHANNEL}, told) from unnest(${payloads}::text[]) told`.execute(
    db,
  )
}

/** Members reload the list of mailboxes too; a mailbox holder gets only the change of messages. */
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

/** Wakes what posts events to webhooks. Mail that is filed does not: a worker looks for it every second. */
export const announceEvents = async (db: Db): Promise<void> => {
  await sql`select pg_notify(${WEBHOOKS_CHANNEL}, '')`.execute(db)
}

/** Closes the event streams of ended sessions. */
export const announceSessionsEnded = async (db: Db): Promise<void> => {
  await sql`select pg_notify(${SESSIONS_ENDED_CHANNEL}, '')`.execute(db)
}

/** Event streams read again which workspaces their readers belong to. */
export const announceMembership = (db: Db): Promise<void> => announceSessionsEnded(db)

/** The connections of mail programs to these mailboxes ask whether they may stay. */
export const announceSignIns = async (db: Db, mailboxIds: readonly string[]): Promise<void> => {
  await sql`select pg_notify(${SIGN_INS_CHANNEL}, told) from unnest(${[...mailboxIds]}::text[]) told`.execute(
    db,
  )
}

/** The doors read the certificate of this name again. */
export const announceCertificate = async (db: Db, name: string): Promise<void> => {
  await sql`select pg_notify(${CERTIFICATES_CHANNEL}, ${name})`.execute(db)
}

/** The doors for incoming mail read the list of senders again. */
export const announceSenderList = async (db: Db): Promise<void> => {
  await sql`select pg_notify(${SENDER_LIST_CHANNEL}, '')`.execute(db)
}
