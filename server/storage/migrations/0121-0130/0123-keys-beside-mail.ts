import type { Kysely } from 'kysely'
import { buildsOf, type Keys, widenKeys } from '../0111-0120/widen-keys.ts'

/** Tables that grow with the mail, whose keys the release before names in conflicts (decision 141). */
export const up = (db: Kysely<unknown>): Promise<void> => widenKeys(db, keys)

const keys: Keys = {
  areLarge: true,
  primary: {
    contacts: 'mailbox_id, address',
    correspondents: 'mailbox_id, address',
    drafts: 'mailbox_id, key',
    message_structures: 'mailbox_id, message_id',
    sends: 'mailbox_id, key',
    vacation_answers: 'mailbox_id, address',
  },
}

export const waits = true
export const builds = buildsOf(keys)
