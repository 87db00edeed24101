/** The names that are to have a certificate, and what each has. */
import { type Selectable, sql } from 'kysely'
import { hostsLeadingHere, mailHosts } from '#server/features/domains/record-queries.ts'
import type { Db } from '#server/storage/database.ts'
import type { CertificatesTable } from '#server/storage/rows/certificate-tables.ts'

export type CertificateRow = Selectable<CertificatesTable>

/** Names that are new are due at once; one that a domain has again is its own from then on. */
export const keepWantedNames = async (db: Db, own: readonly string[], now: Date): Promise<void> => {
  const due = { nextLookAt: now, createdAt: now }
  if (own.length > 0)
    await db
      .insertInto('certificates')
      .values(
        own.map((name) => ({
          ...{ name, isOwn: true, workspaceId: null, domainId: null },
          ...due,
        })),
      )
      .onConflict((row) =>
        row
          .column('name')
          .doUpdateSet({ isOwn: true, workspaceId: null, domainId: null, revocation: null, ...due })
          .where('certificates.isOwn', '=', false),
      )
      .execute()
  await db
    .insertInto('certificates')
    .columns(['name', 'workspaceId', 'domainId', 'isOwn', 'nextLookAt', 'createdAt'])
    .expression(
      db
        .selectFrom(hostsLeadingHere(db).unionAll(mailHosts(db)).as('host'))
        // A conflict would lock the row: most are there already, and our own stay ours.
        .leftJoin('certificates', 'certificates.name', 'host.name')
        .where((of) =>
          of.or([
            of('certificates.name', 'is', null),
            of('certificates.isOwn', '=', false).and(
              'certificates.domainId',
              'is distinct from',
              of.ref('host.domainId'),
            ),
          ]),
        )
        .select(['host.name', 'host.workspaceId', 'host.domainId', sql<boolean>`false`.as('isOwn')])
        .select([
          sql<Date>`${now}::timestamptz`.as('nextLookAt'),
          sql<Date>`${now}::timestamptz`.as('createdAt'),
        ])
        .distinctOn('host.name'),
    )
    .onConflict((row) =>
      row
        .column('name')
        .doUpdateSet((of) => ({
          workspaceId: of.ref('excluded.workspaceId'),
          domainId: of.ref('excluded.domainId'),
          revocation: null,
          nextLookAt: now,
        }))
        .where('certificates.isOwn', '=', false)
        .whereRef('certificates.domainId', 'is distinct from', 'excluded.domainId'),
    )
    .execute()
  await leaveFormerNames(db, own, now)
}

/** Those that the settings name no more, and those whose domain has gone. */
const leaveFormerNames = async (db: Db, own: readonly string[], now: Date): Promise<void> => {
  await db
    .updateTable('certificates')
    .set({ isOwn: false, revocation: 'cessationOfOperation', nextLookAt: now })
    .where((of) =>
      of.or([
        of('isOwn', '=', true).and('name', 'not in', own.length === 0 ? [''] : own),
        of('isOwn', '=', false).and('domainId', 'is', null).and('revocation', 'is', null),
      ]),
    )
    .execute()
}

export type Claim = {
  now: Date
  until: Date
  /** Orders since then count: `mostOrders` of all, whoever has had fewest goes first. */
  since: Date
  mostOrders: number
}

/** Claims one name that is due: our own first. */
export const claimName = async (
  db: Db,
  { now, until, since, mostOrders }: Claim,
): Promise<CertificateRow | undefined> => {
  const recent = db
    .selectFrom('certificates')
    .where('askedAt', '>', since)
    .select(['workspaceId', sql<number>`count(*)`.as('orders')])
    .groupBy('workspaceId')
  const [due] = await db
    .with('recent', () => recent)
    .selectFrom('certificates')
    .leftJoin('recent', 'recent.workspaceId', 'certificates.workspaceId')
    .where('nextLookAt', '<=', now)
    .where((of) => of.or([of('claimedUntil', 'is', null), of('claimedUntil', '<=', now)]))
    .where((of) =>
      of.or([
        of('isOwn', '=', true),
        of(
          of.selectFrom('recent').select(sql<number>`coalesce(sum(orders), 0)`.as('all')),
          '<',
          mostOrders,
        ),
      ]),
    )
    .select('name')
    .orderBy('isOwn', 'desc')
    .orderBy(sql`coalesce(recent.orders, 0)`)
    .orderBy('nextLookAt')
    .limit(1)
    .forNoKeyUpdate('certificates')
    .skipLocked()
    .execute()
  if (due === undefined) return undefined
  return db
    .updateTable('certificates')
    .set({ claimedUntil: until })
    .where('name', '=', due.name)
    .returningAll()
    .executeTakeFirst()
}

export type CertificateChange = Partial<Omit<CertificateRow, 'name' | 'createdAt'>>

/** Ends the claim, unless the change says otherwise. */
export const changeCertificate = async (
  db: Db,
  name: string,
  change: CertificateChange,
): Promise<void> => {
  await db
    .updateTable('certificates')
    .set({ claimedUntil: null, ...change })
    .where('name', '=', name)
    .execute()
}

export const deleteCertificate = async (db: Db, name: string): Promise<void> => {
  await db.deleteFrom('certificates').where('name', '=', name).execute()
}

/** What doors may show now; `only`: of this name alone. */
export const readStanding = (db: Db, now: Date, only: string | null) =>
  db
    .selectFrom('certificates')
    .select(['name', 'issuedAt', 'expiresAt'])
    .where('chain', 'is not', null)
    .where('expiresAt', '>', now)
    .$if(only !== null, (query) => query.where('name', '=', only))
    .execute()

export const readCertificate = (db: Db, name: string, now: Date) =>
  db
    .selectFrom('certificates')
    .select(['chain', 'keySealed'])
    .where('name', '=', name)
    .where('expiresAt', '>', now)
    .executeTakeFirst()

export type ListedCertificate = Pick<
  CertificateRow,
  'name' | 'expiresAt' | 'nextLookAt' | 'trouble'
>

/** Our own first. */
export const readCertificates = (db: Db): Promise<ListedCertificate[]> =>
  db
    .selectFrom('certificates')
    .select(['name', 'expiresAt', 'nextLookAt', 'trouble'])
    .orderBy('isOwn', 'desc')
    .orderBy('name')
    .execute()

/** @returns false: there is none of this name */
export const wantRevocation = async (
  db: Db,
  name: string,
  revocation: NonNullable<CertificateRow['revocation']>,
  now: Date,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('certificates')
    .set({ revocation, nextLookAt: now, failures: 0 })
    .where('name', '=', name)
    .where('chain', 'is not', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** @returns false: the name is none that is to have one */
export const makeDue = async (db: Db, name: string, now: Date): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('certificates')
    .set({ nextLookAt: now, renewAt: now, failures: 0 })
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
