/** Mailboxes in the database. Every query names the workspace. */
import type { Updateable } from 'kysely'
import { AppError } from '#contract/errors.ts'
import type { MailboxSettings } from '#contract/mail/mailbox-settings.ts'
import type { Db } from '#server/storage/database.ts'
import type { AccessLinksTable } from '#server/storage/rows/access-tables.ts'
import type { MailboxesTable } from '#server/storage/rows/mailbox-tables.ts'
import type { MailboxRow } from './mailbox-queries.ts'

/** Reads the counters of the folders. */
export const hasMail = async (db: Db, workspaceId: string, mailboxId: string): Promise<boolean> => {
  const found = await db
    .selectFrom('folders')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where('messageCount', '>', 0)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

export const updateMailbox = async (
  db: Db,
  workspaceId: string,
  id: string,
  change: Updateable<MailboxesTable>,
): Promise<MailboxRow> =>
  db
    .updateTable('mailboxes')
    .set(change)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/**
 * Deletes the mailbox with its folders, readers, aliases and mail; the sweep removes the blobs. Aliases are locked in the same
 * order as in `lockToDelete`, since an alias of a locked domain would otherwise cause a deadlock.
 */
export const removeMailbox = async (db: Db, workspaceId: string, id: string): Promise<boolean> => {
  await db
    .selectFrom('mailboxes')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .execute()
  await db
    .selectFrom('aliases')
    .select('id')
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', id)
    .orderBy('id')
    .forUpdate()
    .execute()
  const { numDeletedRows } = await db
    .deleteFrom('mailboxes')
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Ends the link with which a holder would set the password. @returns false when none was open. */
export const endLinks = async (
  db: Db,
  workspaceId: string,
  mailboxId: string,
  ended: { outcome: NonNullable<AccessLinksTable['outcome']>; endedAt: Date },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('accessLinks')
    .set(ended)
    .where('workspaceId', '=', workspaceId)
    .where('mailboxId', '=', mailboxId)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** true: the database refused the address, because somebody took it in the meantime. */
export const isTakenAddress = (error: unknown): boolean =>
  error instanceof Error &&
  'constraint' in error &&
  (error.constraint === 'addresses_pkey' || error.constraint === 'mailboxes_email_key')

/** Of a statement that makes one: the transaction cannot go on. */
export const refuseTaken =
  (type: 'MAILBOX_EXISTS' | 'ADDRESS_TAKEN') =>
  (error: unknown): never => {
    throw isTakenAddress(error) ? new AppError(type) : error
  }

export type Place = { workspaceId: string; mailboxId: string }

const settings = ['displayName', 'signature'] as const

export const readSettings = (
  db: Db,
  { workspaceId, mailboxId }: Place,
): Promise<Pick<MailboxSettings, (typeof settings)[number]> | undefined> =>
  db
    .selectFrom('mailboxes')
    .select(settings)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', mailboxId)
    .executeTakeFirst()

export const storeSettings = (
  db: Db,
  { workspaceId, mailboxId }: Place,
  change: Updateable<MailboxesTable>,
): Promise<Pick<MailboxSettings, (typeof settings)[number]> | undefined> =>
  db
    .updateTable('mailboxes')
    .set(change)
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', mailboxId)
    .returning(settings)
    .executeTakeFirst()
