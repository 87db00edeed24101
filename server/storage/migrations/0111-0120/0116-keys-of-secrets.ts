import type { Kysely } from 'kysely'
import { type Keys, narrowsOf, widenKeys } from './widen-keys.ts'

/** Of random bits, which are the same in two workspaces as little as in one, and ids that Stripe gives. */
export const up = (db: Kysely<unknown>): Promise<void> => widenKeys(db, keys)

const keys: Keys = {
  primary: { access_links: 'token_hash', invitation_links: 'token_hash' },
  unique: {
    api_keys: { api_keys_secret_hash_key: 'secret_hash' },
    app_passwords: { app_passwords_secret_hash_key: 'secret_hash' },
    card_customers: { card_customers_customer_id_key: 'customer_id' },
    dns_links: { dns_links_token_hash_key: 'token_hash' },
    mail_exports: { mail_exports_token_hash_key: 'token_hash' },
    workspace_exports: { workspace_exports_token_hash_key: 'token_hash' },
  },
}

export const narrows = narrowsOf(keys)
