import { memberCan, type Role } from '#contract/rights.ts'
import type { App } from '#server/app.ts'
import { logRight } from '#server/features/accounts/log-in.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { newId } from '#server/lib/ids.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange, announceMailbox } from '#server/storage/notifications.ts'
import type { ReaderOrigin } from '#server/storage/rows/access-tables.ts'
import { personOf } from './member-emails.ts'
import { findMember, type MemberRow } from './members-store.ts'
import {
  deleteDnsLinksBy,
  endRights,
  insertAccessEntries,
  revokeInvitationsBy,
  withdrawLinksBy,
} from './ways-in-store.ts'

const BY_ROLE = 'They have lost the role with which they did this'

/**
 * Whoever leaves the workspace or loses a role loses every way in that they made with it: invitations, links to
 * mailboxes, links to DNS records, and the mailboxes that they read by the role alone. What an Admin gave them stays.
 * Behind the lock of the workspace; pages and event streams learn of it at once.
 */
export const endWaysIn = async (
  app: App,
  tx: Db,
  who: Who,
  person: MemberRow,
  role: Role | null,
): Promise<void> => {
  const { workspaceId } = who
  const maker = { workspaceId, userId: person.userId }
  const at = app.clock.now()
  const invitations = await revokeInvitationsBy(tx, maker, at)
  const dnsLinks = await deleteDnsLinksBy(tx, maker)
  const withdrawn = await withdrawLinksBy(tx, maker, at)
  const ended = await endRights(tx, maker, originsLost(role))
  const caller = await findMember(tx, workspaceId, who.userId)
  const entry = { workspaceId, actor: caller ? personOf(caller) : '', at, reason: BY_ROLE }
  await insertAccessEntries(tx, [
    ...withdrawn.map((mailbox) => ({
      ...{ ...entry, id: newId(at.getTime()), mailboxId: mailbox.id, mailboxEmail: mailbox.email },
      ...{ kind: 'link-withdrawn' as const, subject: '' },
    })),
    ...ended.map((mailbox) => ({
      ...{ ...entry, id: newId(at.getTime()), mailboxId: mailbox.id, mailboxEmail: mailbox.email },
      ...{ kind: 'taken-back' as const, subject: personOf(person) },
    })),
  ])
  const whose = person.userId
  const lost: Lost[] = [
    ...invitations.map(({ id, email }) => lostWay('invitation', id, 'revoked', email)),
    ...dnsLinks.map(({ id }) => lostWay('dns-link', id, 'revoked', whose)),
    ...withdrawn.map(({ id }) => lostWay('mailbox', id, 'link-withdrawn', whose)),
    ...ended.map(({ id }) => lostWay('mailbox', id, 'taken-back', whose)),
  ]
  for (const right of lost) logRight(app, tx, who, right)
  for (const mailboxId of new Set([...withdrawn, ...ended].map(({ id }) => id)))
    await announceMailbox(tx, { workspaceId, mailboxId })
  await announceChange(tx, { topic: 'domains', workspaceId })
}

type Lost = Parameters<typeof logRight>[3]
const lostWay = (what: Lost['what'], objectId: string, change: string, whose: string): Lost => ({
  ...{ what, objectId, change, whose },
})

/** null: they leave. */
const originsLost = (role: Role | null): ReaderOrigin[] => {
  if (role === null) return ['given', 'taken', 'made']
  if (!memberCan(role, 'manage-mailboxes')) return ['taken', 'made']
  return memberCan(role, 'give-mailboxes') ? [] : ['taken']
}
