import type { Kysely } from 'kysely'
import { type Keys, narrowsOf, type Reference, widenKeys } from './widen-keys.ts'

/** Tables that refer to each other: money, webhooks, links, imports and app passwords (decision 140). */
export const up = (db: Kysely<unknown>): Promise<void> =>
  widenKeys(db, { ...keys, references: [...(keys.references ?? []), ...ofLedger] })

const PERSON = { to: 'mailbox_readers', columns: 'mailbox_id, user_id' }

export const keys: Keys = {
  primary: {
    app_passwords: 'id',
    card_payments: 'id',
    dns_link_domains: 'link_id, domain_id',
    dns_links: 'id',
    invitations: 'id',
    invoice_lines: 'id',
    invoices: 'id',
    mail_import_chunks: 'import_id, start_byte',
    mail_import_faults: 'import_id, start_byte',
    mail_imports: 'id',
    webhook_events: 'seq',
    webhooks: 'id',
  },
  unique: {
    card_payments: { card_payments_invoice_id_attempt_key: 'invoice_id, attempt' },
    invoice_lines: { invoice_lines_credited_line_id_key: 'credited_line_id' },
    webhook_events: { webhook_events_id_key: 'id' },
  },
  indexes: {
    card_payments_open: ['card_payments', 'invoice_id', "where state in ('open', 'confirming')"],
    mail_imports_open: [
      ...(['mail_imports', 'mailbox_id'] as const),
      "where state in ('uploading', 'running', 'stopped')",
    ],
  },
  second: { mailbox_readers: 'mailbox_id, user_id' },
  references: [
    { from: 'app_passwords', ...PERSON, toColumns: PERSON.columns },
    { from: 'program_uses', ...PERSON, toColumns: PERSON.columns },
    { from: 'program_uses', columns: 'app_password_id', to: 'app_passwords' },
    { from: 'card_payments', columns: 'invoice_id', to: 'invoices' },
    { from: 'card_refunds', columns: 'card_payment_id', to: 'card_payments' },
    { from: 'card_refunds', columns: 'credit_id', to: 'invoices' },
    { from: 'dns_link_domains', columns: 'link_id', to: 'dns_links' },
    { from: 'invitation_links', columns: 'invitation_id', to: 'invitations' },
    { from: 'invoice_lines', columns: 'credited_line_id', to: 'invoice_lines' },
    { from: 'invoice_lines', columns: 'invoice_id', to: 'invoices' },
    { from: 'invoices', columns: 'corrects_id', to: 'invoices' },
    { from: 'mail_import_chunks', columns: 'import_id', to: 'mail_imports' },
    { from: 'mail_import_faults', columns: 'import_id', to: 'mail_imports' },
    { from: 'payments', columns: 'invoice_id', to: 'invoices' },
    { from: 'webhook_attempts', columns: 'event_id', to: 'webhook_events' },
    { from: 'webhook_attempts', columns: 'webhook_id', to: 'webhooks' },
    { from: 'webhook_events', columns: 'webhook_id', to: 'webhooks' },
    { from: 'webhook_lanes', columns: 'webhook_id', to: 'webhooks' },
  ],
}

/** Programs of the release before do not know the ledger. */
const ofLedger: readonly Reference[] = [
  { from: 'ledger_entries', columns: 'card_payment_id', to: 'card_payments', isKept: true },
  { from: 'ledger_entries', columns: 'invoice_id', to: 'invoices', isKept: true },
]

export const narrows = narrowsOf(keys)
