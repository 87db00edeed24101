/** The figures of the stat cards. Days in UTC. */

import { AppError } from '#contract/errors.ts'
import { DAYS_OF_MAIL, type MailPerDay, type Stats } from '#contract/stats.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { settingsNow } from '#server/features/operators/chosen-settings.ts'
import { DAY_MS } from '#server/lib/clock.ts'
import { readFigures, readMailPerDay } from './stats-store.ts'

/** @throws NOT_EXISTS for a person who is in no workspace */
export const getStats = async (app: App, { workspaceId }: Who): Promise<Stats> => {
  const now = app.clock.now()
  const { domainMailboxLimit } = await settingsNow(app)
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
  const figures = await readFigures(app.db, workspaceId, {
    limit: domainMailboxLimit,
    yesterday: new Date(today - DAY_MS),
    today: new Date(today),
    tomorrow: new Date(today + DAY_MS),
  })
  if (figures === undefined) throw new AppError('NOT_EXISTS')
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
      needWork: figures.needWork,
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

/** Messages per day for the last days, including days with none. Days in UTC. */
export const getMailPerDay = async (app: App, { workspaceId }: Who): Promise<MailPerDay> => {
  const now = app.clock.now()
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
  const days = Array.from({ length: DAYS_OF_MAIL }, (_, at) =>
    dateOf(new Date(today - (DAYS_OF_MAIL - 1 - at) * DAY_MS)),
  )
  const counted = await readMailPerDay(app.db, workspaceId, {
    from: new Date(today - (DAYS_OF_MAIL - 1) * DAY_MS),
    until: new Date(today + DAY_MS),
  })
  const messagesOn = new Map(counted.map(({ date, messages }) => [date, messages]))
  return { days: days.map((date) => ({ date, messages: messagesOn.get(date) ?? 0 })) }
}

const dateOf = (day: Date): string => day.toISOString().slice(0, 10)
