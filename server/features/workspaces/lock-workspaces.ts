import type { Db } from '#server/storage/database.ts'
import { lockWorkspaceRows } from './workspaces-store.ts'

/**
 * Makes everything that bills these workspaces, or changes who is in them, wait until the transaction
 * ends. Before any other row of theirs is locked.
 */
export const lockWorkspaces = (tx: Db, ids: string[]): Promise<void> => lockWorkspaceRows(tx, ids)
