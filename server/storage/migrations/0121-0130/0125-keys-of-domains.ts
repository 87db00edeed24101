import type { Kysely } from 'kysely'
import { buildsOf, type Keys, widenKeys } from '../0111-0120/widen-keys.ts'

/** A row of each domain, invoice or delivery, whose keys the release before names in conflicts (decision 141). */
export const up = (db: Kysely<unknown>): Promise<void> => widenKeys(db, keys)

const keys: Keys = {
  areLarge: true,
  primary: {
    bounces: 'delivery_id',
    catch_alls: 'domain_id',
    domain_settings: 'domain_id',
    missing_proofs: 'domain_id',
    test_mails: 'domain_id',
    webhook_lanes: 'webhook_id, about',
  },
  unique: { invoices: { invoices_number: 'series, number' } },
  indexes: { domains_holder: ['domains', 'name', 'where is_verified'] },
}

export const waits = true
export const builds = buildsOf(keys)
