/** Events for webhooks that nobody tries, or webhooks of many workspaces that were switched off: the way out is shut. */
import {
  readWebhookTrouble,
  type WebhookTrouble,
} from '#server/features/webhooks/trouble-queries.ts'
import { DAY_MS } from '#server/lib/clock.ts'
import type { Condition } from './condition.ts'
import { minutesText } from './texts.ts'

/** A worker takes what is due within seconds. */
const DUE_MS = 15 * 60_000
/** Some servers of customers are always away: off are at least so many, of so many workspaces. */
const OFF = { webhooks: 5, workspaces: 3 }

export const webhookTrouble: Condition = {
  name: 'webhooks',
  afterMinutes: 5,
  mend: 'Look whether this machine reaches https addresses on port 443: a firewall or the resolver may be in the way. Where nothing is tried, the worker hangs and wants a new start. The Admins of webhooks that are off were mailed, and switch them on.',
  look: async ({ db, clock }) => {
    const now = clock.now()
    const offSince = new Date(now.getTime() - DAY_MS)
    return troubleOf(await readWebhookTrouble(db, { now, offSince }), now)
  },
}

export const troubleOf = (
  { dueSince, off, offWorkspaces }: WebhookTrouble,
  now: Date,
): string | null => {
  const dueMs = dueSince === null ? 0 : now.getTime() - dueSince.getTime()
  if (dueMs >= DUE_MS)
    return `Events for webhooks are due, and have not been tried for ${minutesText(dueMs)}.`
  if (off < OFF.webhooks || offWorkspaces < OFF.workspaces) return null
  return `${off} webhooks of ${offWorkspaces} workspaces were switched off in the last day, since their events did not arrive.`
}
