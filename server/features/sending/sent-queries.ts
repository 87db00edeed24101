/** For later rooms: what was sent to recipients outside, what other servers refused for good or complained about, and what is stopped. */
import type { Db } from '#server/storage/database.ts'

export const sendingRows = (db: Db) =>
  db.selectFrom('sendings').select(['workspaceId', 'mailboxId', 'at', 'recipients'])

export const bounceRows = (db: Db) =>
  db.selectFrom('bounces').select(['workspaceId', 'mailboxId', 'at'])

export const complaintRows = (db: Db) =>
  db.selectFrom('complaints').select(['workspaceId', 'mailboxId', 'at', 'reporter'])

/** The stops that are in force. */
export const stopRows = (db: Db) =>
  db
    .selectFrom('sendingStops')
    .select(['mailboxId', 'workspaceId', 'stoppedAt', 'failed', 'ended', 'operatorReason'])
    .where('resumedAt', 'is', null)
