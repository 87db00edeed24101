import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { readDomain } from '#server/features/domains/domains-store.ts'
import { isId } from '#server/lib/ids.ts'
import { endOpenClaim } from './claim-domain.ts'
import { giveUpDomain } from './give-up-domain.ts'
import { lockNamesakes } from './ownership-store.ts'

/**
 * With everything that hangs on it: records, keys, mailboxes, their mail and what of it was still on its way out. Whoever
 * adds the name later starts empty. Claims on it are looked at within a minute.
 */
export const deleteDomain = async (app: App, who: Who, id: string): Promise<void> => {
  const found = isId(id) ? await readDomain(app.db, who.workspaceId, id) : undefined
  if (!found) throw new AppError('NOT_EXISTS')
  await app.db.transaction().execute(async (tx) => {
    const namesakes = await lockNamesakes(tx, found.name)
    const domain = namesakes.find(
      (each) => each.id === found.id && each.workspaceId === who.workspaceId,
    )
    if (!domain) throw new AppError('NOT_EXISTS')
    await endOpenClaim(app, tx, domain, namesakes)
    await giveUpDomain(app, tx, domain, 'deleted')
  })
}
