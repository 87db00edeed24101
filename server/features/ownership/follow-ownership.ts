/**
 * What follows from one definite look at `_mailstead.{domain}` for everybody who asks for the name: a holder whose proof
 * is gone or back, and the claims of others. Resolver trouble never gets here.
 */
import type { App } from '#server/app.ts'
import { spendThrottle } from '#server/features/limits/throttle.ts'
import type { Db } from '#server/storage/database.ts'
import { startClaim, wouldClaim } from './claim-domain.ts'
import { decideClaims } from './decide-claims.ts'
import { followProof } from './follow-proof.ts'
import {
  type Asker,
  type OwnershipLook,
  type OwnershipState,
  readState,
} from './ownership-state.ts'
import { lockNamesakes, readMissingProof, readNamesakes } from './ownership-store.ts'

const CLAIMS_ON_A_NAME = { limit: 10, windowSeconds: 24 * 3600 }

export const followOwnership = async (
  app: App,
  asker: Asker,
  look: OwnershipLook | null,
  at: Date,
): Promise<void> => {
  if (look === null) return
  const seen = await readState(app.db, await readNamesakes(app.db, asker.name))
  const isClaiming = wouldClaim(asker, seen, look, app.clock.now())
  if (!isClaiming && !(await isAnythingToDo(app.db, seen, look))) return
  // Each start is a mail to people who did not ask for it.
  if (isClaiming) await spendThrottle(app, `claims-on:${asker.name}`, CLAIMS_ON_A_NAME)
  await app.db.transaction().execute(async (tx) => {
    const before = await readState(tx, await lockNamesakes(tx, asker.name))
    const holder = await decideClaims(app, tx, before, look)
    if (holder) await followProof(app, tx, holder, look, at)
    // As it is now: a claim may have ended, and the domain may have a new holder.
    const after = await readState(tx, await readNamesakes(tx, asker.name))
    if (wouldClaim(asker, after, look, app.clock.now()))
      await startClaim(app, tx, asker, after, look)
  })
}

/** Of nearly every domain nearly always: no. */
const isAnythingToDo = async (
  db: Db,
  { holder, claims }: OwnershipState,
  look: OwnershipLook,
): Promise<boolean> => {
  if (claims.some(({ outcome }) => outcome === null)) return true
  if (holder === undefined) return false
  if (look(holder.ownershipToken) === 'nowhere') return true
  return (await readMissingProof(db, holder.id)) !== undefined
}
