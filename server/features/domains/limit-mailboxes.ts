/** The operator allows one domain more or fewer mailboxes than the installation does (decision 083). */
import { AppError } from '#contract/errors.ts'
import { domainToAscii } from '#server/standards/address.ts'
import type { Database } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { lockNamesakes, setMailboxLimit } from './domain-queries.ts'

/**
 * Mailboxes that the domain has already stay.
 * @param limit null: as the installation says.
 * @throws NOT_EXISTS when no workspace has proven a domain of this name.
 */
export const limitMailboxes = async (
  db: Database,
  name: string,
  limit: number | null,
): Promise<{ workspaceId: string }> =>
  db.transaction().execute(async (tx) => {
    const namesakes = await lockNamesakes(tx, domainToAscii(name) ?? name)
    const domain = namesakes.find(({ isVerified, endsAt }) => isVerified && endsAt === null)
    if (!domain) throw new AppError('NOT_EXISTS')
    await setMailboxLimit(tx, domain.id, limit)
    await announceChange(tx, { topic: 'mailboxes', workspaceId: domain.workspaceId })
    return { workspaceId: domain.workspaceId }
  })
