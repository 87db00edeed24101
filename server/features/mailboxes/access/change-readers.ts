/** Which members read a mailbox: given by an Admin, or taken by one, and always written down (decision 024). */
import { AppError } from '#contract/errors.ts'
import type { MailboxReader } from '#contract/mail/access.ts'
import { memberCan } from '#contract/rights.ts'
import type { App } from '#server/app.ts'
import { endMailedLinks } from '#server/features/accounts/holders.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { personOf } from '#server/features/workspaces/member-emails.ts'
import { isId } from '#server/lib/ids.ts'
import { endLinksBy } from './access-links-store.ts'
import { writeDown } from './access-log.ts'
import {
  deleteReader,
  findMember,
  findReaders,
  type PersonRow,
  upsertReader,
} from './access-store.ts'
import { toReader } from './get-access.ts'
import { changeAccess, type Held } from './require-mailbox.ts'

/** Whoever made the mailbox keeps the right that way. @throws NOT_EXISTS for who is not in the workspace */
export const giveMailbox = (app: App, who: Who, id: string, userId: string) =>
  changeAccess(app, who, id, async (held) => {
    requireGiver(held)
    const person = isId(userId) ? await findMember(held.tx, who.workspaceId, userId) : undefined
    if (!person) throw new AppError('NOT_EXISTS')
    return letRead(app, who, held, {
      person,
      origin: person.id === held.caller.id ? 'taken' : 'given',
    })
  })

/** @throws NOT_EXISTS */
export const takeRight = (app: App, who: Who, id: string, reason: string) =>
  changeAccess(app, who, id, (held) => {
    requireGiver(held)
    return letRead(app, who, held, { person: held.caller, origin: 'taken', reason })
  })

type Letting = { person: PersonRow; origin: 'given' | 'taken'; reason?: string }

const letRead = async (
  app: App,
  who: Who,
  { tx, mailbox, caller }: Held,
  { person, origin, reason = '' }: Letting,
): Promise<MailboxReader> => {
  const { workspaceId, id: mailboxId } = mailbox
  const readers = await findReaders(tx, workspaceId, mailboxId)
  const known = readers.find(({ userId }) => userId === person.id)
  if (known && known.origin !== 'made') return toReader(known, who)
  const createdAt = app.clock.now()
  await upsertReader(tx, { workspaceId, mailboxId, userId: person.id, origin, createdAt })
  if (!known) await endMailedLinks(app, tx, mailbox)
  await writeDown(app, tx, mailbox, {
    ...{ kind: origin, actor: personOf(caller), reason },
    subject: origin === 'given' ? personOf(person) : '',
  })
  return toReader({ ...person, userId: person.id, origin, createdAt }, who)
}

/** Anybody's own, or an Admin that of others; never the holder's. @throws NOT_EXISTS, FORBIDDEN */
export const takeMailboxBack = (app: App, who: Who, id: string, userId: string): Promise<void> =>
  changeAccess(app, who, id, async (held) => {
    const { tx, mailbox, caller } = held
    const isOwn = userId.toLowerCase() === caller.id
    if (!isOwn) requireGiver(held)
    const readers = await findReaders(tx, who.workspaceId, mailbox.id)
    const reader = readers.find((each) => each.userId === userId.toLowerCase())
    if (!reader || !(await deleteReader(tx, who.workspaceId, mailbox.id, reader.userId)))
      throw new AppError('NOT_EXISTS')
    const actor = personOf(caller)
    await writeDown(app, tx, mailbox, {
      ...{ kind: isOwn ? 'gave-back' : 'taken-back', actor },
      subject: isOwn ? '' : personOf(reader),
    })
    // With it they could sign in to what they are not to read.
    const place = { workspaceId: who.workspaceId, mailboxId: mailbox.id, userId: reader.userId }
    if (await endLinksBy(tx, place, app.clock.now()))
      await writeDown(app, tx, mailbox, { kind: 'link-withdrawn', actor })
  })

/** Asked again behind the lock: they may have been made a User meanwhile. */
const requireGiver = ({ caller }: Held): void => {
  if (!memberCan(caller.role, 'give-mailboxes')) throw new AppError('FORBIDDEN')
}
