import { ownershipValue } from '#server/dns/compare-ownership.ts'
import { isDefinite, settle, valuesIn } from '#server/dns/seen.ts'
import { zoneTrouble } from '#server/dns/zone-trouble.ts'
import type { DomainRow } from '#server/features/domains/domain-queries.ts'
import type { Observation } from '#server/lib/dns/dns.ts'
import type { Db } from '#server/storage/database.ts'
import { type ClaimRow, readClaimsOf } from './ownership-store.ts'

/** The domain whose check queried DNS. */
export type Asker = {
  id: string
  name: string
  /** true: the caller pressed Verify. Without that, a claim on a name starts only once. */
  isAskedFor: boolean
}

/** The holder of a name and the claims on it. */
export type OwnershipState = {
  holder: DomainRow | undefined
  namesakes: DomainRow[]
  /** Claims of all namesakes, latest first. */
  claims: ClaimRow[]
}

export const readState = async (db: Db, namesakes: DomainRow[]): Promise<OwnershipState> => ({
  namesakes,
  holder: namesakes.find(({ isVerified }) => isVerified),
  claims: await readClaimsOf(
    db,
    namesakes.map(({ id }) => id),
  ),
})

/** `somewhere`: only some servers have the record, or only caches still do. */
export type Proof = 'everywhere' | 'somewhere' | 'nowhere'

/** Where the proof with a token was found. One query of `_mailstead.{domain}` answers for every workspace. Pure. */
export type OwnershipLook = (ownershipToken: string) => Proof

/** null: the answer is not definite, so no state changes. */
export const lookOf = (observation: Observation | null): OwnershipLook | null => {
  if (observation === null || zoneTrouble(observation) !== null) return null
  const settled = settle(observation)
  if (settled.kind === 'nothing') return null
  const published =
    settled.kind === 'one'
      ? [valuesIn(settled.seen)]
      : settled.groups.map(({ seen }) => valuesIn(seen))
  const visible = observation.resolvers
    .filter(isDefinite)
    .map(({ records }) => records.map(({ data }) => data))
  return (token) => {
    const has = (values: string[]) => values.some((value) => value.trim() === ownershipValue(token))
    if (published.every(has)) return 'everywhere'
    return [...published, ...visible].some(has) ? 'somewhere' : 'nowhere'
  }
}
