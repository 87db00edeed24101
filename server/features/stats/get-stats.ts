/** The live figures of the stat cards. Days are those of UTC. */
import type { Stats } from '#contract/stats.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/auth/who.ts'
import { readFigures } from './stats-store.ts'

const DAY_MS = 24 * 60 * 60 * 1000

export const getStats = async (app: App, { workspaceId }: Who): Promise<Stats> => {
  const now = app.clock.now()
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
  const figures = await readFigures(app.db, workspaceId, {
    limit: app.config.domainMailboxLimit,
    yesterday: new Date(today - DAY_MS),
    today: new Date(today),
    tomorrow: new Date(today + DAY_MS),
  })
  const { domains, activeDomains, dnsVerified, dnsFailed } = figures
  const { mailboxes, activeMailboxes, suspendedMailboxes } = figures
  return {
    domains: {
      total: domains,
      active: activeDomains,
      pending: domains - activeDomains,
      dnsVerified,
      dnsPending: domains - dnsVerified - dnsFailed,
      dnsFailed,
    },
    mailboxes: {
      total: mailboxes,
      active: activeMailboxes,
      suspended: suspendedMailboxes,
      inactive: mailboxes - activeMailboxes - suspendedMailboxes,
      activeDomains: figures.domainsInUse,
      slots: figures.slots,
    },
    storage: { usedBytes: figures.usedBytes, quotaBytes: figures.quotaBytes },
    messages: { today: figures.messagesToday, yesterday: figures.messagesYesterday },
  }
}
