import type { Kysely } from 'kysely'
import { narrowsOf, widenKeys } from './widen-keys.ts'

/** Keys of tables that no other refers to (decision 140). */
export const up = (db: Kysely<unknown>): Promise<void> => widenKeys(db, keys)

const BY_ID = [
  ...['aliases', 'api_keys', 'bulk_changes', 'card_refunds', 'complaints', 'domain_claims'],
  ...['domain_keys', 'mail_exports', 'picture_senders', 'released_domains', 'saved_views'],
  ...['sending_stops', 'unsubscriptions', 'uploads', 'workspace_exports'],
]

const keys = {
  primary: {
    ...Object.fromEntries(BY_ID.map((table) => [table, 'id'])),
    domain_records: 'domain_id, purpose',
    messages_read_in_part: 'message_id',
    vacation_dues: 'message_id',
  },
  unique: {
    domain_keys: { domain_keys_domain_id_selector_key: 'domain_id, selector' },
    drafts: { drafts_message_id_key: 'message_id' },
    folders: { folders_mailbox_id_name_key: 'mailbox_id, name' },
  },
  indexes: {
    access_links_open: ['access_links', 'mailbox_id', 'where ended_at is null'],
    domain_claims_open: ['domain_claims', 'domain_id', 'where outcome is null'],
    folders_role: ['folders', 'mailbox_id, role', 'where role is not null'],
    mailbox_keywords_one: ['mailbox_keywords', 'mailbox_id, lower(keyword)', ''],
  },
} as const

export const narrows = narrowsOf(keys)
