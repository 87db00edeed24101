import { AppError } from '#contract/errors.ts'
import type {
  createMailbox as createMailboxRoute,
  editMailbox as editMailboxRoute,
  Mailbox,
} from '#contract/mailboxes.ts'
import type { Input } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import {
  endLinksMailedTo,
  hasHolder,
  signHoldersOut,
  tellHolders,
} from '#server/features/accounts/holders.ts'
import type { Who } from '#server/features/accounts/who.ts'
import type { DomainRow } from '#server/features/domains/domain-queries.ts'
import { noteEvent } from '#server/features/webhooks/event-queries.ts'
import { holdRight } from '#server/features/workspaces/hold-right.ts'
import { isId, newId } from '#server/lib/ids.ts'
import { domainOf } from '#server/standards/address.ts'
import type { Db } from '#server/storage/database.ts'
import { announceSessionsEnded } from '#server/storage/notifications.ts'
import { lockMailbox, type MailboxRow, mailboxEvent } from './mailbox-queries.ts'
import {
  endLinks,
  hasMail,
  isTakenAddress,
  removeMailbox,
  updateMailbox,
} from './mailboxes-store.ts'
import { insertMailboxes } from './new-mailboxes-store.ts'
import {
  announceMailboxes,
  firstStatus,
  outsideDomain,
  requireActive,
  requirePlaces,
  storedAddress,
  storedDomainName,
} from './place-mailboxes.ts'
import { toMailbox } from './read-mailboxes.ts'
import { requireFree } from './require-free.ts'
import { lockPlaces } from './within-reach.ts'

const OVERDUE =
  'This mailbox is suspended because its invoice is overdue. It resumes when that is paid'
const HOLDER_SIGNS_IN = 'The address cannot change while a person signs in with it'

type Change = Input<typeof editMailboxRoute>['body']

/** Changes the given fields. The address can change only while the mailbox has no mail. */
export const editMailbox = async (
  app: App,
  who: Who,
  id: string,
  change: Change,
): Promise<Mailbox> => {
  if (!isId(id)) throw new AppError('NOT_EXISTS')
  const { workspaceId } = who
  const { email: givenEmail, domain: givenDomain, ...fields } = change
  const address = givenEmail === undefined ? null : storedAddress(givenEmail)
  const domainName = givenDomain === undefined ? null : storedDomainName(givenDomain, 'domain')
  try {
    return await app.db.transaction().execute(async (tx) => {
      // Lock order: domain, then mailbox, as when a domain is deleted.
      const [domain] = address ? await lockPlaces(tx, who, [address.domain]) : []
      const current = await lockMailbox(tx, workspaceId, id)
      if (!current) throw new AppError('NOT_EXISTS')
      const email = address?.email ?? current.email
      if (domainOf(email) !== (domainName ?? domainOf(current.email))) throw outsideDomain()
      const status = change.status ?? current.status
      requireStatusChange(app, current, status)
      const moved = email !== current.email
      const row = await updateMailbox(tx, workspaceId, id, {
        ...fields,
        email,
        domainId: moved ? await newDomainId(app, tx, current, email, domain) : current.domainId,
        status,
        isOverdue: current.isOverdue && status === 'suspended',
      })
      if (status !== current.status)
        await (status === 'suspended' ? signHoldersOut(app, tx, [id]) : tellHolders(tx, [id]))
      if (status === 'suspended' && current.status !== 'suspended')
        await noteEvent(tx, mailboxEvent('mailbox.suspended', row, app.clock.now()))
      await announceMailboxes(tx, workspaceId)
      return toMailbox(row)
    })
  } catch (error) {
    throw isTakenAddress(error) ? new AppError('MAILBOX_EXISTS') : error
  }
}

/** Where billing is on, only payment activates a mailbox. */
const requireStatusChange = (
  app: App,
  { status: from, isOverdue }: MailboxRow,
  to: MailboxRow['status'],
): void => {
  if (from === to) return
  const isFree = app.config.billing === 'off'
  if (isOverdue && !isFree) throw new AppError('STATUS_NOT_ALLOWED', { message: OVERDUE })
  const isAllowed = from === 'inactive' ? to === 'active' && isFree : to !== 'inactive'
  if (!isAllowed) throw new AppError('STATUS_NOT_ALLOWED')
}

/** A new address obeys the rules of a new mailbox. */
const newDomainId = async (
  app: App,
  db: Db,
  current: MailboxRow,
  email: string,
  found: DomainRow | undefined,
): Promise<string> => {
  if (await hasMail(db, current.workspaceId, current.id)) throw new AppError('ADDRESS_FIXED')
  if (await hasHolder(db, current.id))
    throw new AppError('ADDRESS_FIXED', { message: HOLDER_SIGNS_IN })
  // The owner of the link knows the mailbox by its old address.
  const ended = { outcome: 'withdrawn' as const, endedAt: app.clock.now() }
  await endLinks(db, current.workspaceId, current.id, ended)
  const domain = requireActive(found, 'domain')
  await endLinksMailedTo(app, db, [email])
  await requireFree(db, current.workspaceId, email)
  if (domain.id !== current.domainId) await requirePlaces(app, db, current.workspaceId, [domain], 1)
  return domain.id
}

/** The domain must be active and of this workspace. The caller becomes the first reader. */
export const createMailbox = async (
  app: App,
  who: Who,
  form: Input<typeof createMailboxRoute>['body'],
): Promise<Mailbox> => {
  const { email: givenEmail, domain: givenDomain, ...fields } = form
  const { email, domain: domainOfEmail } = storedAddress(givenEmail)
  const domainName = storedDomainName(givenDomain, 'domain')
  if (domainOfEmail !== domainName) throw outsideDomain()
  const { workspaceId } = who
  return app.db.transaction().execute(async (tx) => {
    await holdRight(tx, who, 'manage-mailboxes')
    const [found] = await lockPlaces(tx, who, [domainName])
    const domain = requireActive(found, 'domain')
    await requireFree(tx, workspaceId, email)
    await requirePlaces(app, tx, workspaceId, [domain], 1)
    const createdAt = app.clock.now()
    const [row] = await insertMailboxes(tx, who.userId, [
      {
        ...fields,
        id: newId(createdAt.getTime()),
        workspaceId,
        domainId: domain.id,
        email,
        status: firstStatus(app),
        createdAt,
      },
    ])
    if (!row) throw new AppError('MAILBOX_EXISTS')
    await endLinksMailedTo(app, tx, [email])
    await announceMailboxes(tx, workspaceId)
    return toMailbox(row)
  })
}

/** Deletes the mailbox with its mail: a new mailbox of the same address starts empty. @throws NOT_EXISTS */
export const endMailbox = async (tx: Db, workspaceId: string, id: string): Promise<void> => {
  if (!(await removeMailbox(tx, workspaceId, id))) throw new AppError('NOT_EXISTS')
  await announceMailboxes(tx, workspaceId)
  // The holder's account was deleted with the mailbox.
  await announceSessionsEnded(tx)
}
