import type { Kysely } from 'kysely'
import { keys } from './0113-references-of-workspaces.ts'
import { keys as ofMailboxes } from './0114-references-to-mailboxes.ts'
import { checkReferences } from './check-references.ts'

/** Entries of the ledger never change. */
export const up = (db: Kysely<unknown>): Promise<void> =>
  checkReferences(db, [...(ofMailboxes.references ?? []), ...(keys.references ?? [])])
