import type { App } from '#server/app.ts'
import { afterCommit } from '#server/storage/after-commit.ts'
import type { Db } from '#server/storage/database.ts'
import { removeFile } from './export-files.ts'
import { deleteExportsOf } from './exports-store.ts'

/** When the workspace ends: an Admin can fetch no file from then on. */
export const endExportsOf = async (app: App, tx: Db, workspaceId: string): Promise<void> => {
  const ids = await deleteExportsOf(tx, workspaceId)
  afterCommit(tx, () => Promise.all(ids.map((id) => removeFile(app.config, id))))
}
