/**
 * Gives and takes the right to read a mailbox: to members, and to holders of other mailboxes of the workspace. Each change is
 * logged (decisions 024 and 057).
 */
import { AppError, invalidField } from '#contract/errors.ts'
import type { giveMailbox as giveMailboxRoute, MailboxReader } from '#contract/mail/access.ts'
import { MOST_PEOPLE, type PersonToGive } from '#contract/mail/access.ts'
import { memberCan } from '#contract/rights.ts'
import type { Input } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import { endMailedLinks } from '#server/features/accounts/holders.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { recordBySystem } from '#server/features/audit/system-changes.ts'
import { personOf } from '#server/features/workspaces/member-emails.ts'
import { isId } from '#server/lib/ids.ts'
import { inTransaction } from '#server/storage/after-commit.ts'
import { announceMailbox, announceMembership } from '#server/storage/notifications.ts'
import { readAnyMailbox } from '../mailbox-queries.ts'
import { endLinks } from '../mailboxes-store.ts'
import { endLinksBy } from './access-links-store.ts'
import { logAccess } from './access-log.ts'
import { mailGiven } from './access-mails.ts'
import {
  deleteEndedReaders,
  deleteReader,
  findReaders,
  type ReaderRow,
  upsertReader,
} from './access-store.ts'
import { toReader } from './get-access.ts'
import { findPeople, findPerson, type PersonRow } from './people-store.ts'
import { changeAccess, type Held } from './require-mailbox.ts'

type Gift = Input<typeof giveMailboxRoute>['body']

const OVER = 'This day is over'

/** Members and holders, the first ones by name that match. */
export const listPeople = async (app: App, who: Who, text = ''): Promise<PersonToGive[]> => {
  const words = text.split(/\s+/u).filter(Boolean).slice(0, 10)
  const rows = await findPeople(app.db, who.workspaceId, words, MOST_PEOPLE)
  return rows.map(({ userId, firstName, lastName, email, role }) => ({
    ...{ _id: userId, name: `${firstName} ${lastName}`.trim(), email, role },
  }))
}

/**
 * The maker of the mailbox keeps a right given this way when it gets a holder.
 * @throws NOT_EXISTS when the user is neither member nor holder of another mailbox here; VALIDATION on `endsAt`
 */
export const giveMailbox = (app: App, who: Who, id: string, gift: Gift): Promise<MailboxReader> =>
  changeAccess(app, who, id, (held) => giveTo(app, who, held, gift))

/** Within `changeAccess`. @throws as giveMailbox does */
export const giveTo = async (
  app: App,
  who: Who,
  held: Held,
  { userId, endsAt = null, canSend = true }: Gift,
): Promise<MailboxReader> => {
  requireGiver(held)
  const end = endsAt === null ? null : new Date(endsAt)
  if (end !== null && end <= app.clock.now()) throw invalidField('endsAt', OVER)
  const person = isId(userId) ? await findPerson(held.tx, who.workspaceId, userId) : undefined
  if (!person || person.mailboxId === held.mailbox.id) throw new AppError('NOT_EXISTS')
  return letRead(app, who, held, {
    ...{ person, endsAt: end, canSend },
    origin: person.userId === held.caller.userId ? 'taken' : 'given',
  })
}

/** @throws NOT_EXISTS */
export const takeRight = (app: App, who: Who, id: string, reason: string) =>
  changeAccess(app, who, id, (held) => {
    requireGiver(held)
    const right = { endsAt: null, canSend: true }
    return letRead(app, who, held, { ...right, person: held.caller, origin: 'taken', reason })
  })

type Letting = Pick<ReaderRow, 'endsAt' | 'canSend'> & {
  person: PersonRow
  origin: 'given' | 'taken'
  reason?: string
}

const letRead = async (
  app: App,
  who: Who,
  { tx, mailbox, caller }: Held,
  { person, origin, endsAt, canSend, reason = '' }: Letting,
): Promise<MailboxReader> => {
  const { workspaceId, id: mailboxId } = mailbox
  const now = app.clock.now()
  const readers = await findReaders(tx, workspaceId, mailboxId, now)
  const known = readers.find(({ userId }) => userId === person.userId)
  const isSame = known?.endsAt?.getTime() === endsAt?.getTime() && known?.canSend === canSend
  if (known && (known.origin === 'holder' || (known.origin !== 'made' && isSame)))
    return toReader(known, who)
  const right = { origin, createdAt: now, endsAt, canSend }
  await upsertReader(tx, { workspaceId, mailboxId, userId: person.userId, ...right })
  if (!known) await endMailedLinks(app, tx, mailbox)
  await logAccess(app, tx, mailbox, {
    ...{ kind: origin, actor: personOf(caller), reason },
    subject: origin === 'given' ? personOf(person) : '',
  })
  if (person.mailboxId !== null) await endLinkTo(app, tx, { ...person, workspaceId }, caller)
  if (origin === 'given')
    await mailGiven(app, tx, mailbox, person, { giverEmail: caller.email, canSend, endsAt })
  return toReader({ ...person, ...right }, who)
}

/** A link that waits for a holder's own mailbox would open what they are given now to its maker, an Editor perhaps. */
const endLinkTo = async (
  app: App,
  tx: Held['tx'],
  { workspaceId, mailboxId }: Pick<PersonRow, 'mailboxId'> & { workspaceId: string },
  caller: PersonRow,
): Promise<void> => {
  const own = mailboxId === null ? undefined : await readAnyMailbox(tx, workspaceId, mailboxId)
  if (!own) return
  const ended = { outcome: 'withdrawn' as const, endedAt: app.clock.now() }
  if (await endLinks(tx, workspaceId, own.id, ended))
    await logAccess(app, tx, own, { kind: 'link-withdrawn', actor: personOf(caller) })
}

/** Readers may end their own right, and Admins that of others; the holder's cannot be ended. @throws NOT_EXISTS, FORBIDDEN */
export const takeMailboxBack = (app: App, who: Who, id: string, userId: string): Promise<void> =>
  changeAccess(app, who, id, async (held) => {
    const { tx, mailbox, caller } = held
    const isOwn = userId.toLowerCase() === caller.userId
    if (!isOwn) requireGiver(held)
    const { workspaceId } = who
    const readers = await findReaders(tx, workspaceId, mailbox.id, app.clock.now())
    const reader = readers.find((each) => each.userId === userId.toLowerCase())
    if (!reader || !(await deleteReader(tx, workspaceId, mailbox.id, reader.userId)))
      throw new AppError('NOT_EXISTS')
    const actor = personOf(caller)
    await logAccess(app, tx, mailbox, {
      ...{ kind: isOwn ? 'gave-back' : 'taken-back', actor },
      subject: isOwn ? '' : personOf(reader),
    })
    await endLinksOf(app, tx, { workspaceId, mailboxId: mailbox.id, userId: reader.userId }, actor)
  })

type FormerReader = { workspaceId: string; mailboxId: string; userId: string }

/** With an open link the former reader could still sign in and read the mailbox. @returns whose mailboxes they opened */
const endLinksOf = async (
  app: App,
  tx: Held['tx'],
  reader: FormerReader,
  actor: string,
): Promise<string[]> => {
  const { workspaceId } = reader
  const ended = await endLinksBy(tx, reader, app.clock.now())
  for (const linked of ended)
    await logAccess(app, tx, { ...linked, workspaceId }, { kind: 'link-withdrawn', actor })
  return ended.map(({ email }) => email)
}

/** For a loop: no request lets a reader in once the end has passed; this deletes the right and logs it. */
export const endRightsDue = (app: App): Promise<void> =>
  inTransaction(app, async (tx) => {
    const ended = await deleteEndedReaders(tx, app.clock.now())
    if (ended.length === 0) return
    for (const reader of ended) {
      const mailbox = await readAnyMailbox(tx, reader.workspaceId, reader.mailboxId)
      if (!mailbox) continue
      const person = await findPerson(tx, reader.workspaceId, reader.userId)
      const actor = person ? personOf(person) : ''
      await logAccess(app, tx, mailbox, { kind: 'ended', actor })
      const links = await endLinksOf(app, tx, reader, actor)
      await recordBySystem(tx, app.clock.now(), 'rightEnded', {
        workspaceId: reader.workspaceId,
        object: person ? `${mailbox.email}: ${person.email}` : mailbox.email,
        ...(links.length > 0 && { details: { withdrawnLinks: links.join(', ') } }),
      })
    }
    await announceMembership(tx)
    for (const reader of ended) await announceMailbox(tx, reader)
  })

/** Checked again after locking: the caller may have become a User in the meantime. */
const requireGiver = ({ caller }: Held): void => {
  if (!memberCan(caller.role, 'give-mailboxes')) throw new AppError('FORBIDDEN')
}
