import type { Kysely } from 'kysely'
import { buildsOf, type Keys, widenKeys } from '../0111-0120/widen-keys.ts'

/** Nothing refers to a mailbox or a folder by its id alone any more (0126). */
export const up = (db: Kysely<unknown>): Promise<void> => widenKeys(db, keys)

const keys: Keys = { areLarge: true, primary: { folders: 'id', mailboxes: 'id' } }

export const waits = true
export const builds = buildsOf(keys)
