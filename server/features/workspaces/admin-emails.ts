import type { Db } from '#server/storage/database.ts'
import { findAdminEmails } from './members-store.ts'

/** The proven account addresses of the Admins of a workspace: whom notices about its domains reach. */
export const adminEmails = (db: Db, workspaceId: string): Promise<string[]> =>
  findAdminEmails(db, workspaceId)
