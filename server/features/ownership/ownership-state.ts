import { ownershipValue } from '#server/dns/expected-records.ts'
import { isDefinite, settle, valuesIn } from '#server/dns/seen.ts'
import { zoneTrouble } from '#server/dns/zone-trouble.ts'
import type { DomainRow } from '#server/features/domains/domains-store.ts'
import type { Observation } from '#server/lib/dns/dns.ts'
import type { Db } from '#server/storage/database.ts'
import { type ClaimRow, readClaimsOf } from './ownership-store.ts'

/** Whose check it was that looked. */
export type Asker = {
  id: string
  name: string
  /** Somebody pressed Verify; else a claim starts by itself only the first time. */
  isAskedFor: boolean
}

/** Who asks for one name. */
export type OwnershipState = {
  holder: DomainRow | undefined
  namesakes: DomainRow[]
  /** Of all of them, latest first. */
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

/** `somewhere`: some servers have it and others do not, or it is left in a cache. */
export type Proof = 'everywhere' | 'somewhere' | 'nowhere'

/** Whose proofs one look at `_mailstead.{domain}` shows: everybody's at once, since all stand at the same name. Pure. */
export type OwnershipLook = (ownershipToken: string) => Proof

/** null: nothing definite was learnt, so nothing follows from it. */
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
