import type { Kysely } from 'kysely'
import { keys } from './0117-keys-of-mail.ts'
import { checkReferences } from './check-references.ts'

export const up = (db: Kysely<unknown>): Promise<void> => checkReferences(db, keys.references ?? [])
