import type { Db } from '#server/storage/database.ts'
import type { DomainKeyRow } from '../domains-store.ts'

/** RSA always; the second key while its record is right. */
export const readSigningKeys = (db: Db, domainId: string): Promise<DomainKeyRow[]> =>
  db
    .selectFrom('domainKeys')
    .selectAll()
    .where('domainId', '=', domainId)
    .where((is) =>
      is.or([
        is('algorithm', '=', 'rsa'),
        is.exists(
          is
            .selectFrom('domainRecords')
            .select('domainRecords.domainId')
            .where('domainRecords.domainId', '=', domainId)
            .where('purpose', '=', 'dkim-ed25519')
            .where('state', '=', 'verified'),
        ),
      ]),
    )
    .orderBy('createdAt')
    .execute()
