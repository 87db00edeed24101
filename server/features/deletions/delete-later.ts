/**
 * Deletes a domain or a mailbox: it is gone from the lists at once, still gets mail, can be read, and ends after 14 days, a
 * mailbox by itself after 30, unless it is restored (decision 062). What nobody used ends at once.
 */
import { AppError } from '#contract/errors.ts'
import type { RowResult } from '#contract/many-domains.ts'
import type { App } from '#server/app.ts'
import { logRight } from '#server/features/accounts/log-in.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { withdrawOrdersOf } from '#server/features/billing/stripe/orders.ts'
import { markDomain } from '#server/features/domains/deleted-queries.ts'
import { lockWholeDomain, readDomain } from '#server/features/domains/domain-queries.ts'
import { eachRow } from '#server/features/limits/each-row.ts'
import {
  markMailbox,
  markMailboxesOf,
  readUse,
} from '#server/features/mailboxes/deleted-queries.ts'
import { endMailbox } from '#server/features/mailboxes/edit-mailbox.ts'
import { lockMailbox, lockMailboxesOf } from '#server/features/mailboxes/mailbox-queries.ts'
import { announceMailboxes } from '#server/features/mailboxes/place-mailboxes.ts'
import { deleteDomain } from '#server/features/ownership/delete-domain.ts'
import { noteEvent } from '#server/features/webhooks/event-queries.ts'
import { holdRight } from '#server/features/workspaces/hold-right.ts'
import { memberOf, personOf } from '#server/features/workspaces/member-emails.ts'
import { isId } from '#server/lib/ids.ts'
import { toUnicodeDomain } from '#server/standards/domain-name.ts'
import { inTransaction } from '#server/storage/after-commit.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange, announceSignIns } from '#server/storage/notifications.ts'
import { mailDomainsDeleted } from './deletion-mails.ts'
import { endOf, endOfMailbox, isUnused, mayDeleteMailbox } from './preview-deletion.ts'

const IN_USE =
  'Somebody signs in to this mailbox, or was given it to read. Only an Admin can delete it'

/** @throws NOT_EXISTS, FORBIDDEN; STATUS_NOT_ALLOWED while an order of its mailboxes is being paid */
export const deleteDomainLater = (app: App, who: Who, id: string): Promise<void> =>
  putOff(app, who, id, 'now')

/** One mail tells the Admins of all of them: `mail-deletions.ts` writes it. */
export const deleteManyDomains = (
  app: App,
  who: Who,
  ids: readonly string[],
): Promise<RowResult[]> =>
  eachRow(ids, async (id) => {
    await putOff(app, who, id, 'with-others')
    return undefined
  })

const putOff = async (
  app: App,
  who: Who,
  id: string,
  told: 'now' | 'with-others',
): Promise<void> => {
  const { workspaceId } = who
  const found = isId(id) ? await readDomain(app.db, workspaceId, id) : undefined
  if (!found) throw new AppError('NOT_EXISTS')
  // Nothing works on a domain that was not proven, so nothing is lost.
  if (!found.isVerified)
    return deleteDomain(app, who, id, (tx) => noteEvent(tx, domainDeleted(found, app.clock.now())))
  await withdrawOrdersOf(app, { workspaceId, domainId: found.id })
  await inTransaction(app, async (tx) => {
    await holdRight(tx, who, 'delete-domains')
    const deletedBy = await callerName(tx, who)
    const domain = await lockWholeDomain(tx, workspaceId, found.id)
    if (!domain) throw new AppError('NOT_EXISTS')
    const mailboxes = await lockMailboxesOf(tx, workspaceId, domain.id)
    const now = app.clock.now()
    const deleted = { endsAt: endOf(now), deletedBy }
    await markDomain(tx, domain, {
      ...deleted,
      deletionUntoldSince: told === 'with-others' ? now : null,
    })
    await markMailboxesOf(tx, domain, deleted)
    await noteEvent(tx, domainDeleted(domain, now, deleted.endsAt))
    const ending = mailboxes.filter(({ endsAt }) => endsAt === null).length
    const name = toUnicodeDomain(domain.name)
    if (told === 'now')
      await mailDomainsDeleted(app, tx, workspaceId, [{ name, ...deleted, mailboxes: ending }])
    await announceDeletion(tx, workspaceId, mailboxes)
    logRight(app, tx, who, { what: 'domain', objectId: domain.id, change: 'deleted', whose: '' })
  })
}

/** @throws NOT_EXISTS; FORBIDDEN for an Editor, when somebody uses the mailbox; STATUS_NOT_ALLOWED while an order of it is being paid */
export const deleteMailboxLater = async (app: App, who: Who, id: string): Promise<void> => {
  if (!isId(id)) throw new AppError('NOT_EXISTS')
  const { workspaceId } = who
  const requireUse = async (db: Db) => {
    const use = await readUse(db, { workspaceId, mailboxId: id }, app.clock.now())
    if (!mayDeleteMailbox(who, use)) throw new AppError('FORBIDDEN', { message: IN_USE })
    return use
  }
  // Stripe is asked before the transaction, and not for somebody who is refused in it.
  await requireUse(app.db)
  await withdrawOrdersOf(app, { workspaceId, mailboxId: id })
  await inTransaction(app, async (tx) => {
    await holdRight(tx, who, 'manage-mailboxes')
    const mailbox = await lockMailbox(tx, workspaceId, id)
    if (!mailbox) throw new AppError('NOT_EXISTS')
    const use = await requireUse(tx)
    const now = app.clock.now()
    const endsAt = isUnused(use) ? null : endOfMailbox(now)
    await noteEvent(tx, mailboxDeleted(mailbox, now, endsAt))
    if (endsAt === null) await endMailbox(tx, workspaceId, mailbox.id)
    else {
      const deletedBy = await callerName(tx, who)
      await markMailbox(tx, mailbox, { endsAt, deletedBy })
      await announceDeletion(tx, workspaceId, [mailbox])
    }
    logRight(app, tx, who, { what: 'mailbox', objectId: mailbox.id, change: 'deleted', whose: '' })
  })
}

type Named = { id: string; workspaceId: string }

/** Its mailboxes go with it, and have no events of their own. */
const domainDeleted = (
  { id, workspaceId, name }: Named & { name: string },
  at: Date,
  endsAt: Date | null = null,
) => ({
  ...{ topic: 'domain.deleted' as const, workspaceId, about: id, at },
  data: { domainId: id, name, endsAt: endsAt?.toISOString() ?? null },
})

const mailboxDeleted = (
  { id, workspaceId, email }: Named & { email: string },
  at: Date,
  endsAt: Date | null,
) => ({
  ...{ topic: 'mailbox.deleted' as const, workspaceId, about: id, at },
  data: { mailboxId: id, mailbox: email, endsAt: endsAt?.toISOString() ?? null },
})

export const callerName = async (tx: Db, { workspaceId, userId }: Who): Promise<string> => {
  const member = await memberOf(tx, workspaceId, userId)
  if (!member) throw new AppError('FORBIDDEN')
  return personOf(member)
}

/** Readers learn of it in their mail; mail programs are signed out. */
export const announceDeletion = async (
  tx: Db,
  workspaceId: string,
  mailboxes: readonly { id: string }[],
): Promise<void> => {
  await announceMailboxes(tx, workspaceId)
  await announceSignIns(
    tx,
    mailboxes.map(({ id }) => id),
  )
  await announceChange(
    tx,
    { topic: 'domains', workspaceId },
    ...mailboxes.map(({ id }) => ({ topic: 'messages' as const, workspaceId, mailboxId: id })),
  )
}
