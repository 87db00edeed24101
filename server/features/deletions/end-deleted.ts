/** Ends what was deleted: when its time has come, or now, when an Admin types its name. Nothing comes back from here. */
import { AppError, invalidField } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { logRight } from '#server/features/accounts/log-in.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { forgetChanges } from '#server/features/audit/record-change.ts'
import { recordBySystem } from '#server/features/audit/system-changes.ts'
import { hasInvoices } from '#server/features/billing/invoices.ts'
import { closePaymentsOf } from '#server/features/billing/stripe/close-payment.ts'
import {
  deletedDomainRow,
  domainsOfWorkspace,
  domainsToEnd,
} from '#server/features/domains/deleted-queries.ts'
import { endExportsOf } from '#server/features/exports/end-exports.ts'
import { deleteEntries } from '#server/features/mailboxes/access/access-queries.ts'
import {
  lockDeletedMailbox,
  mailboxesToEnd,
  readDeletedMailbox,
} from '#server/features/mailboxes/deleted-queries.ts'
import { endMailbox } from '#server/features/mailboxes/edit-mailbox.ts'
import { endDomain } from '#server/features/ownership/delete-domain.ts'
import {
  closeWorkspace,
  lockWorkspaceToEnd,
  removeWorkspace,
  workspacesToEnd,
} from '#server/features/tenants/workspace-queries.ts'
import { endWebhooksOf } from '#server/features/webhooks/webhooks.ts'
import { holdRight } from '#server/features/workspaces/hold-right.ts'
import { deleteInvitationsOf } from '#server/features/workspaces/invitation-queries.ts'
import { isId } from '#server/lib/ids.ts'
import { domainToAscii } from '#server/standards/address.ts'
import { toUnicodeDomain } from '#server/standards/domain-name.ts'
import { afterCommit, inTransaction } from '#server/storage/after-commit.ts'
import { announceChange, announceMembership } from '#server/storage/notifications.ts'
import { tellDeletions } from './mail-deletions.ts'

const OTHER_NAME = 'This is not its name'
/** The rest waits for the next run. */
const AT_ONCE = 200

/** @throws NOT_EXISTS, also when it was just restored; VALIDATION on `name` */
export const endDeleted = async (
  app: App,
  who: Who,
  id: string,
  typed: string,
): Promise<string> => {
  if (!isId(id)) throw new AppError('NOT_EXISTS')
  const { workspaceId } = who
  return inTransaction(app, async (tx) => {
    await holdRight(tx, who, 'end-deleted')
    const mailbox = await readDeletedMailbox(tx, workspaceId, id)
    const domain = mailbox ? undefined : await deletedDomainRow(tx, workspaceId, id)
    const what = mailbox ? 'mailbox' : 'domain'
    if (mailbox) {
      if (typed.trim().toLowerCase() !== mailbox.email) throw invalidField('name', OTHER_NAME)
      if (!(await lockDeletedMailbox(tx, workspaceId, id))) throw new AppError('NOT_EXISTS')
      await endMailbox(tx, workspaceId, id)
    } else {
      if (!domain) throw new AppError('NOT_EXISTS')
      if (domainToAscii(typed.trim()) !== domain.name) throw invalidField('name', OTHER_NAME)
      await tellDeletions(app, tx, workspaceId)
      const hasEnded = await endDomain(app, tx, domain, ({ endsAt }) => endsAt !== null)
      if (!hasEnded) throw new AppError('NOT_EXISTS')
    }
    logRight(app, tx, who, { what, objectId: id, change: 'ended', whose: '' })
    return mailbox?.email ?? typed.trim()
  })
}

/** For a job: each in its own transaction, which asks again behind the lock, since it may be restored now. */
export const endDueDeletions = async (app: App): Promise<void> => {
  const now = app.clock.now()
  for (const id of await workspacesToEnd(app.db, now, AT_ONCE))
    if (await hasNoPayment(app, id)) await endWorkspace(app, id, now)
  for (const domain of await domainsToEnd(app.db, now, AT_ONCE))
    await app.db.transaction().execute(async (tx) => {
      const isDue = ({ endsAt }: { endsAt: Date | null }) => endsAt !== null && endsAt <= now
      const hasEnded = await endDomain(app, tx, domain, isDue)
      const { workspaceId, name } = domain
      const object = toUnicodeDomain(name)
      if (hasEnded) await recordBySystem(tx, now, 'domainEnded', { workspaceId, object })
    })
  for (const { workspaceId, id } of await mailboxesToEnd(app.db, now, AT_ONCE))
    await app.db.transaction().execute(async (tx) => {
      const mailbox = await lockDeletedMailbox(tx, workspaceId, id)
      if (!mailbox?.endsAt || mailbox.endsAt > now) return
      await endMailbox(tx, workspaceId, id)
      await recordBySystem(tx, now, 'mailboxEnded', { workspaceId, object: mailbox.email })
    })
}

/** One that is being paid now, or that Stripe cannot end, is left for the next run, and keeps no other waiting. */
const hasNoPayment = async (app: App, workspaceId: string): Promise<boolean> => {
  try {
    await closePaymentsOf(app, workspaceId)
    return true
  } catch (error) {
    app.log.warn({ err: error }, 'a workspace does not end, because an invoice of it is being paid')
    return false
  }
}

/** Its domains go one by one, so that none waits for all; the rest with the last. Invoices are kept. */
const endWorkspace = async (app: App, id: string, now: Date): Promise<void> => {
  for (const domain of await domainsOfWorkspace(app.db, id)) {
    const isDue = await app.db.transaction().execute(async (tx) => {
      if (!(await lockWorkspaceToEnd(tx, id, now))) return false
      await endDomain(app, tx, domain, () => true)
      return true
    })
    if (!isDue) return
  }
  await inTransaction(app, async (tx) => {
    if (!(await lockWorkspaceToEnd(tx, id, now))) return
    // A domain that was added meanwhile goes in the next run.
    if ((await domainsOfWorkspace(tx, id)).length > 0) return
    await announceChange(tx, { topic: 'workspaces', workspaceId: id })
    await endExportsOf(app, tx, id)
    await endWebhooksOf(tx, id)
    if (await hasInvoices(tx, id)) {
      await deleteInvitationsOf(tx, id)
      await deleteEntries(tx, id)
      await forgetChanges(tx, id)
      await closeWorkspace(tx, id, now)
    } else await removeWorkspace(tx, id)
    await announceMembership(tx)
    const right = { what: 'workspace', objectId: id, change: 'ended', by: '', whose: '' } as const
    afterCommit(tx, () => app.logEvent('right-changed', { ...right, workspaceId: id }))
  })
}
