import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { type SettingFacts, writeSetting } from './setting-store.ts'

/** Inside the transaction that holds the domain; every open page learns of a change. */
export const storeSetting = async (
  tx: Db,
  domain: { id: string; workspaceId: string },
  facts: SettingFacts,
  askedAt: Date,
): Promise<void> => {
  if (await writeSetting(tx, domain, facts, askedAt))
    await announceChange(tx, { topic: 'domains', workspaceId: domain.workspaceId })
}
