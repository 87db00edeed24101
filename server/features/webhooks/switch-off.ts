/** Webhooks that the program switched off: the Admins are mailed, and what waits is kept until its time is over. */
import type { OffReason } from '#contract/developers/webhooks.ts'
import type { App } from '#server/app.ts'
import { recordBySystem } from '#server/features/audit/system-changes.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import { compose, type Mail, workspaceNamed } from '#server/features/outbox/system-mail.ts'
import { readWorkspace } from '#server/features/tenants/workspace-queries.ts'
import type { Db } from '#server/storage/database.ts'
import { adminEmailsOf, setOff, setOffMadeBy, takeUntold } from './webhooks-store.ts'

/**
 * Whoever leaves a workspace, or loses the right, leaves no way out for its news. Another Admin can switch them on again.
 * @returns their ids
 */
export const switchOffMadeBy = (
  tx: Db,
  maker: { workspaceId: string; userId: string },
  at: Date,
): Promise<string[]> => setOffMadeBy(tx, maker, at)

/** Because of what its receiver does. In one transaction; without effect on one that is off. */
export const switchOff = async (
  tx: Db,
  id: string,
  reason: ToldReason,
  at: Date,
): Promise<void> => {
  const row = await setOff(tx, id, reason, at)
  if (row === undefined) return
  const { workspaceId, url: object } = row
  await recordBySystem(tx, at, 'webhookOff', { workspaceId, object, details: { reason } })
}

/** For a loop. */
export const mailWebhooksOff = async (app: App, isClosing: () => boolean = () => false) => {
  const tellOne = () =>
    app.db.transaction().execute(async (tx) => {
      const row = await takeUntold(tx)
      if (row === undefined) return false
      const { id, workspaceId, offReason, url } = row
      // An Admin switched it on again, or off.
      if (offReason === null || offReason === 'admin') return true
      const { name } = await readWorkspace(tx, workspaceId)
      const mail = offMail(app, { id, name, reason: offReason, host: new URL(url).host })
      for (const to of await adminEmailsOf(tx, workspaceId))
        await sendSystemMail(app, tx, { to, ...mail })
      return true
    })
  while (!isClosing() && (await tellOne()));
}

type ToldReason = Exclude<OffReason, 'admin'>

const why: Record<ToldReason, string> = {
  gone: 'It answered 410, which says that it wants no more events.',
  failing: 'No event has arrived there for three days, although each was sent many times.',
  full: 'More than 50,000 events waited for it.',
  'maker-left':
    'The Admin who made it has left the workspace or is no Admin any more. If you want to go on, switch it on: it is yours then. Make a new secret too, because that person knows the old one.',
}

type Here = { config: Pick<App['config'], 'publicUrl'> }
type Off = { id: string; name: string; reason: ToldReason; host: string }

export const offMail = (app: Here, { id, name, reason, host }: Off): Mail =>
  compose({
    subject: 'A webhook of your Mailstead workspace is off',
    greeting: 'Hello,',
    before: [
      `A webhook of ${workspaceNamed(name)} was switched off. Its events went to:`,
      { value: host },
      why[reason],
    ],
    button: {
      label: 'See the webhook',
      link: `${app.config.publicUrl}/dashboard/developers/webhooks/${id}`,
    },
    after: [
      'While it is off, no new events are kept for it. Those that waited are sent when you switch it on again, if that is within a week.',
    ],
    reason: 'You get this mail because you are an Admin of the workspace.',
  })
