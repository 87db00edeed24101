/** For later rooms: what was sent to recipients outside, and what other servers refused for good. */
import type { Db } from '#server/storage/database.ts'

export const sendingRows = (db: Db) =>
  db.selectFrom('sendings').select(['workspaceId', 'mailboxId', 'at', 'recipients'])

export const bounceRows = (db: Db) =>
  db.selectFrom('bounces').select(['workspaceId', 'mailboxId', 'at'])
