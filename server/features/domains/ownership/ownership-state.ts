import type { Db } from '#server/storage/database.ts'
import type { DomainRow } from '../domains-store.ts'
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
