/** What a member made that lets others in, or lets them see something: in the tables of several rooms, ended at once. */
import type { Db } from '#server/storage/database.ts'
import type { ReaderOrigin } from '#server/storage/rows/access-tables.ts'

type Maker = { workspaceId: string; userId: string }

export const revokeInvitationsBy = (db: Db, { workspaceId, userId }: Maker, endedAt: Date) =>
  db
    .updateTable('invitations')
    .set({ outcome: 'revoked', endedAt })
    .where('workspaceId', '=', workspaceId)
    .where('invitedBy', '=', userId)
    .where('outcome', 'is', null)
    .returning(['id', 'email'])
    .execute()

/** Of those whose maker nobody wrote down, too. @returns the mailboxes that they were for. */
export const withdrawLinksBy = async (
  db: Db,
  { workspaceId, userId }: Maker,
  endedAt: Date,
): Promise<{ id: string; email: string }[]> => {
  const links = await db
    .updateTable('accessLinks')
    .set({ outcome: 'withdrawn', endedAt })
    .where('workspaceId', '=', workspaceId)
    .where((is) => is.or([is('madeBy', '=', userId), is('madeBy', 'is', null)]))
    .where('endedAt', 'is', null)
    .returning('mailboxId')
    .execute()
  return mailboxesOf(
    db,
    workspaceId,
    links.map(({ mailboxId }) => mailboxId),
  )
}

/** @returns the mailboxes that they read no more. */
export const endRights = async (
  db: Db,
  { workspaceId, userId }: Maker,
  origins: ReaderOrigin[],
): Promise<{ id: string; email: string }[]> => {
  if (origins.length === 0) return []
  const rights = await db
    .deleteFrom('mailboxReaders')
    .where('workspaceId', '=', workspaceId)
    .where('userId', '=', userId)
    .where('origin', 'in', origins)
    .returning('mailboxId')
    .execute()
  return mailboxesOf(
    db,
    workspaceId,
    rights.map(({ mailboxId }) => mailboxId),
  )
}

const mailboxesOf = async (db: Db, workspaceId: string, ids: string[]) =>
  ids.length === 0
    ? []
    : db
        .selectFrom('mailboxes')
        .select(['id', 'email'])
        .where('workspaceId', '=', workspaceId)
        .where('id', 'in', ids)
        .execute()

export const deleteDnsLinksBy = (db: Db, { workspaceId, userId }: Maker) =>
  db
    .deleteFrom('dnsLinks')
    .where('workspaceId', '=', workspaceId)
    .where('createdBy', '=', userId)
    .returning('id')
    .execute()

export const insertAccessEntries = async (
  db: Db,
  entries: {
    id: string
    workspaceId: string
    mailboxId: string
    mailboxEmail: string
    kind: 'link-withdrawn' | 'taken-back'
    actor: string
    subject: string
    reason: string
    at: Date
  }[],
): Promise<void> => {
  if (entries.length > 0) await db.insertInto('accessEntries').values(entries).execute()
}
