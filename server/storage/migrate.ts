/** Brings the schema to what this program knows, under a lock; refuses a schema that is newer. */
import { type Migration, Migrator } from 'kysely/migration'
import { StartError } from '../lib/ports/bound-ports.ts'
import type { Database } from './database.ts'
import * as first from './migrations/0001-0010/0001-first.ts'
import * as accounts from './migrations/0001-0010/0002-accounts.ts'
import * as invitations from './migrations/0001-0010/0003-invitations.ts'
import * as sightings from './migrations/0001-0010/0004-sightings.ts'
import * as domainSettings from './migrations/0001-0010/0005-domain-settings.ts'
import * as dnsLinks from './migrations/0001-0010/0006-dns-links.ts'
import * as watching from './migrations/0001-0010/0007-watching.ts'
import * as ownership from './migrations/0001-0010/0008-ownership.ts'
import * as journeys from './migrations/0001-0010/0009-journeys.ts'
import * as addresses from './migrations/0001-0010/0010-addresses.ts'
import * as junk from './migrations/0011-0020/0011-junk.ts'
import * as stsPolicies from './migrations/0011-0020/0012-sts-policies.ts'
import * as brakes from './migrations/0011-0020/0013-brakes.ts'
import * as access from './migrations/0011-0020/0014-access.ts'
import * as conversations from './migrations/0011-0020/0015-conversations.ts'
import * as pictureSenders from './migrations/0011-0020/0016-picture-senders.ts'
import * as writing from './migrations/0011-0020/0017-writing.ts'
import * as mailboxSettings from './migrations/0011-0020/0018-mailbox-settings.ts'
import * as removedUploads from './migrations/0011-0020/0019-removed-uploads.ts'
import * as filingSooner from './migrations/0011-0020/0020-filing-sooner.ts'
import * as claimers from './migrations/0021-0030/0021-claimers.ts'
import * as readInPart from './migrations/0021-0030/0024-read-in-part.ts'
import * as waysIn from './migrations/0021-0030/0025-ways-in.ts'
import * as invoiceSeries from './migrations/0021-0030/0026-invoice-series.ts'

const migrations: Record<string, Pick<Migration, 'up'>> = {
  '0001-first': first,
  '0002-accounts': accounts,
  '0003-invitations': invitations,
  '0004-sightings': sightings,
  '0005-domain-settings': domainSettings,
  '0006-dns-links': dnsLinks,
  '0007-watching': watching,
  '0008-ownership': ownership,
  '0009-journeys': journeys,
  '0010-addresses': addresses,
  '0011-junk': junk,
  '0012-sts-policies': stsPolicies,
  '0013-brakes': brakes,
  '0014-access': access,
  '0015-conversations': conversations,
  '0016-picture-senders': pictureSenders,
  '0017-writing': writing,
  '0018-mailbox-settings': mailboxSettings,
  '0019-removed-uploads': removedUploads,
  '0020-filing-sooner': filingSooner,
  '0021-claimers': claimers,
  '0024-read-in-part': readInPart,
  '0025-ways-in': waysIn,
  '0026-invoice-series': invoiceSeries,
}

/** @throws StartError when the database was made by a newer Mailstead. */
export const migrate = async (db: Database): Promise<void> => {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
  })
  const { error } = await migrator.migrateToLatest()
  if (error === undefined) return
  const text = error instanceof Error ? error.message : String(error)
  if (/previously executed migration .* is missing/.test(text))
    throw new StartError(
      'This database was made by a newer version of Mailstead. Please start that version, or a newer one.',
    )
  throw error
}
