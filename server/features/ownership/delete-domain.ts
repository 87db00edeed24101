import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import {
  type DomainRow,
  lockNamesakes,
  readDomain,
} from '#server/features/domains/domain-queries.ts'
import { isId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { endOpenClaim } from './claim-domain.ts'
import { giveUpDomain } from './give-up-domain.ts'

/**
 * Deletes the domain with its records, keys, mailboxes and their mail, including queued mail. A workspace that
 * adds the name later starts empty. `also` is done in the same transaction. Claims on it are decided within a minute.
 */
export const deleteDomain = async (
  app: App,
  who: Who,
  id: string,
  also: (tx: Db) => Promise<void> = async () => {},
): Promise<void> => {
  const found = isId(id) ? await readDomain(app.db, who.workspaceId, id) : undefined
  if (!found) throw new AppError('NOT_EXISTS')
  await app.db.transaction().execute(async (tx) => {
    if (!(await endDomain(app, tx, found, () => true))) throw new AppError('NOT_EXISTS')
    await also(tx)
  })
}

type Named = Pick<DomainRow, 'id' | 'workspaceId' | 'name'>

/** `isToEnd` is asked behind the locks. Returns false when it says no, or the domain is not there any more. */
export const endDomain = async (
  app: App,
  tx: Db,
  { id, workspaceId, name }: Named,
  isToEnd: (domain: DomainRow) => boolean,
): Promise<boolean> => {
  const namesakes = await lockNamesakes(tx, name)
  const domain = namesakes.find((each) => each.id === id && each.workspaceId === workspaceId)
  if (!domain || !isToEnd(domain)) return false
  await endOpenClaim(app, tx, domain, namesakes)
  await giveUpDomain(app, tx, domain, 'deleted')
  return true
}
