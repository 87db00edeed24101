import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { lockNamesakes, readDomain } from '#server/features/domains/domain-queries.ts'
import { isId } from '#server/lib/ids.ts'
import { endOpenClaim } from './claim-domain.ts'
import { giveUpDomain } from './give-up-domain.ts'

/**
 * Deletes the domain with its records, keys, mailboxes and their mail, including queued mail. A workspace that
 * adds the name later starts empty. Claims on it are decided within a minute.
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
