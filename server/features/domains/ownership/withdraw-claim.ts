import type { DomainOwnership } from '#contract/dns/claims.ts'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { isId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { type DomainRow, readDomain } from '../domains-store.ts'
import { tellHolderKept } from './decide-claims.ts'
import { lockNamesakes, readClaimsOf, updateClaim } from './ownership-store.ts'
import { getOwnership } from './reading/read-ownership.ts'

/** @throws NOT_EXISTS, NO_OPEN_CLAIM */
export const withdrawClaim = async (app: App, who: Who, id: string): Promise<DomainOwnership> => {
  const domain = isId(id) ? await readDomain(app.db, who.workspaceId, id) : undefined
  if (!domain) throw new AppError('NOT_EXISTS')
  await app.db.transaction().execute(async (tx) => {
    const namesakes = await lockNamesakes(tx, domain.name)
    if (!(await endOpenClaim(app, tx, domain, namesakes))) throw new AppError('NO_OPEN_CLAIM')
    await announceChange(tx, { topic: 'domains', workspaceId: who.workspaceId })
  })
  return getOwnership(app, who, id)
}

/** The namesakes are locked; the holder is told. false: there is no open claim. */
export const endOpenClaim = async (
  app: App,
  tx: Db,
  { id }: DomainRow,
  namesakes: DomainRow[],
): Promise<boolean> => {
  const open = (await readClaimsOf(tx, [id])).find(({ outcome }) => outcome === null)
  if (!open) return false
  await updateClaim(tx, open.id, { outcome: 'withdrawn', endedAt: app.clock.now() })
  const holder = namesakes.find((other) => other.id === open.holderDomainId)
  if (holder) await tellHolderKept(app, tx, holder, 'withdrawn')
  return true
}
