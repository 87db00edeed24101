/** A folder as the database and the blobs have it: what a program was told and what it did is compared with this. */
import type { TestApp } from '../app.ts'

const systemFlags = {
  ...{ isRead: '\\Seen', isStarred: '\\Flagged', isAnswered: '\\Answered', isDraft: '\\Draft' },
  isDeleted: '\\Deleted',
} as const
type Flag = keyof typeof systemFlags

/** `flags`: with the keywords, in order. */
export type StoredMail = { uid: number; subject: string; flags: string[]; raw: Buffer }

/** `name`: as programs write it, or the path of a folder that its owner made. In the order of uids. */
export const storedFolder = async (
  app: TestApp,
  mailboxId: string,
  name: string,
): Promise<StoredMail[]> => {
  const rows = await app.db
    .selectFrom('messages as m')
    .innerJoin('folders as f', 'f.id', 'm.folderId')
    .select(['m.uid', 'm.subject', 'm.keywords', 'm.blob', 'f.name', 'f.role'])
    .select((Object.keys(systemFlags) as Flag[]).map((flag) => `m.${flag}` as const))
    .where('m.mailboxId', '=', mailboxId)
    .orderBy('m.uid')
    .execute()
  const here = rows.filter((row) => (row.role ?? row.name).toLowerCase() === name.toLowerCase())
  return Promise.all(
    here.map(async (row) => ({
      ...{ uid: row.uid, subject: row.subject, raw: await app.blobs.get(row.blob) },
      flags: [...flagsOf(row), ...row.keywords].toSorted(),
    })),
  )
}

const flagsOf = (row: Record<Flag, boolean>): string[] =>
  (Object.keys(systemFlags) as Flag[]).flatMap((flag) => (row[flag] ? [systemFlags[flag]] : []))

/** Names of the folders that its owner made. */
export const storedFolderNames = async (app: TestApp, mailboxId: string): Promise<string[]> => {
  const rows = await app.db
    .selectFrom('folders')
    .select('name')
    .where('mailboxId', '=', mailboxId)
    .where('role', 'is', null)
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}
