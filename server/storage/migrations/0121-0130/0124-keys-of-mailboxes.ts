import type { Kysely } from 'kysely'
import { buildsOf, type Keys, widenKeys } from '../0111-0120/widen-keys.ts'

/** A row or a few of each mailbox, whose keys the release before names in conflicts (decision 141). */
export const up = (db: Kysely<unknown>): Promise<void> => widenKeys(db, keys)

const keys: Keys = {
  areLarge: true,
  primary: {
    junk_models: 'mailbox_id',
    mailbox_readers: 'mailbox_id, user_id',
    vacation_replies: 'mailbox_id',
  },
  unique: {
    complaints: { complaints_mailbox_id_about_key: 'mailbox_id, about' },
    picture_senders: { picture_senders_mailbox_id_address_key: 'mailbox_id, address' },
    unsubscriptions: { unsubscriptions_mailbox_id_list_key: 'mailbox_id, list' },
  },
  indexes: {
    program_uses_one: [
      'program_uses',
      'mailbox_id, user_id, coalesce(app_password_id, user_id), network',
      '',
    ],
    sending_stops_now: ['sending_stops', 'mailbox_id', 'where resumed_at is null'],
  },
}

export const waits = true
export const builds = buildsOf(keys)
