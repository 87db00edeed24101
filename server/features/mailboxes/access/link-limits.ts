/** How many access links can be mailed in a day. Users type the addresses, and accounts are free (decision 093). */
import type { getAccessLinkRoom } from '#contract/mail/many-access-links.ts'
import type { Output } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { type MailedLink, roomForLinks } from '#server/features/limits/mailed-links.ts'
import { readWorkspace } from '#server/features/tenants/workspace-queries.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { countActive } from './access-links-store.ts'

const PER_USER = 100
const PER_NETWORK = 300
/** Where mailboxes cost nothing, their number proves nothing in the first days (as in decision 022). */
const NEW_DAYS = 3

/** One more for each mailbox that was paid for: a whole company gets its links in one go. */
export const linkLimits = async (app: App, who: Who): Promise<MailedLink> => {
  const more = (await areTrusted(app, who)) ? await countActive(app.db, who.workspaceId) : 0
  return { kind: 'access-links', perUser: PER_USER + more, perNetwork: PER_NETWORK + more }
}

const areTrusted = async (app: App, { workspaceId }: Who): Promise<boolean> => {
  if (app.config.billing !== 'off') return true
  const { createdAt } = await readWorkspace(app.db, workspaceId)
  return createdAt <= secondsAfter(app.clock.now(), -NEW_DAYS * DAY_SECONDS)
}

/** What the dialog says before links are mailed. */
export const readLinkRoom = async (
  app: App,
  who: Who,
): Promise<Output<typeof getAccessLinkRoom>> => {
  const { left, moreAt } = await roomForLinks(app, who, await linkLimits(app, who))
  return { left, moreAt: moreAt?.toISOString() ?? null }
}
