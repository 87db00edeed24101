import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { type SettingFacts, writeSetting } from './setting-queries.ts'

/** Call in the transaction that locked the domain. Announces a change to open pages. */
export const storeSetting = async (
  tx: Db,
  domain: { id: string; workspaceId: string },
  facts: SettingFacts,
  askedAt: Date,
): Promise<void> => {
  if (await writeSetting(tx, domain, facts, askedAt))
    await announceChange(tx, { topic: 'domains', workspaceId: domain.workspaceId })
}
