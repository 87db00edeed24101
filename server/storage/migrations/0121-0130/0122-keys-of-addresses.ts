import type { Kysely } from 'kysely'
import { buildsOf, type Keys, widenKeys } from '../0111-0120/widen-keys.ts'

/** Their small table says what is unique in the whole installation (0120); here it is so in the workspace (decision 141). */
export const up = (db: Kysely<unknown>): Promise<void> => widenKeys(db, keys)

const keys: Keys = {
  areLarge: true,
  unique: {
    mailboxes: { mailboxes_email_key: 'email' },
    aliases: { aliases_email_key: 'email' },
  },
}

export const waits = true
export const builds = buildsOf(keys)
