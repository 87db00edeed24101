import type { Kysely } from 'kysely'
import { type Keys, narrowsOf, widenKeys } from './widen-keys.ts'

/** What hangs on a domain, a mailbox or a folder is of its workspace (decision 140). */
export const up = (db: Kysely<unknown>): Promise<void> => widenKeys(db, keys)

const OF_DOMAINS = [
  ...['aliases', 'catch_alls', 'dns_link_domains', 'domain_claims', 'domain_keys'],
  ...['domain_record_changes', 'domain_records', 'domain_settings', 'mailboxes', 'missing_proofs'],
  'test_mails',
]
const OF_MAILBOXES = [
  ...['access_links', 'aliases', 'bounces', 'bulk_changes', 'catch_alls', 'complaints', 'contacts'],
  ...['correspondents', 'drafts', 'folders', 'junk_models', 'mail_exports', 'mail_import_chunks'],
  ...['mail_import_faults', 'mail_imports', 'mailbox_keywords', 'mailbox_readers', 'messages'],
  ...['messages_read_in_part', 'picture_senders', 'sending_stops', 'sends', 'test_mails'],
  ...['tombstones', 'unsubscriptions', 'uploads', 'vacation_answers', 'vacation_dues'],
  'vacation_replies',
]
const OF_FOLDERS = ['conversations', 'mail_exports', 'messages']

/** People, certificates and counts of days have no workspace beside the id of what they refer to. */
export const keys: Keys = {
  second: { domains: 'id', folders: 'id', mailboxes: 'id' },
  references: [
    ...OF_DOMAINS.map((from) => ({ from, columns: 'domain_id', to: 'domains' })),
    ...OF_MAILBOXES.map((from) => ({ from, columns: 'mailbox_id', to: 'mailboxes' })),
    ...OF_FOLDERS.map((from) => ({ from, columns: 'folder_id', to: 'folders' })),
  ],
}

export const narrows = narrowsOf(keys)
