import type { Db } from '#server/storage/database.ts'
import type { BackupDone } from './back-up.ts'

export const insertBackup = async (
  db: Db,
  row: { id: string; place: string; startedAt: Date },
): Promise<void> => {
  const { id, place, startedAt } = row
  await db
    .insertInto('backups')
    .values({
      ...{ id, place, startedAt, endedAt: null, snapshot: null, error: '' },
      ...{ rows: 0, blobs: 0, missing: 0, writtenBytes: 0 },
    })
    .execute()
}

export const writeDone = async (
  db: Db,
  id: string,
  endedAt: Date,
  { id: snapshot, rows, blobs, missing, writtenBytes }: BackupDone,
): Promise<void> => {
  const done = { endedAt, snapshot, rows, blobs, missing, writtenBytes }
  await db.updateTable('backups').set(done).where('id', '=', id).execute()
}

export const writeFailed = async (
  db: Db,
  id: string,
  endedAt: Date,
  error: string,
): Promise<void> => {
  await db.updateTable('backups').set({ endedAt, error }).where('id', '=', id).execute()
}

export const deleteOlder = async (db: Db, than: Date): Promise<void> => {
  await db.deleteFrom('backups').where('startedAt', '<', than).execute()
}
