import { AppError } from '#contract/errors.ts'
import type {
  createMailbox as createMailboxRoute,
  editMailbox as editMailboxRoute,
  Mailbox,
} from '#contract/mailboxes.ts'
import type { Input } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import { endLinksMailedTo, hasHolder, signHolderOut } from '#server/features/accounts/holders.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { holdRight } from '#server/features/workspaces/hold-right.ts'
import { isId, newId } from '#server/lib/ids.ts'
import { domainOf } from '#server/standards/address.ts'
import type { Db } from '#server/storage/database.ts'
import { announceSessionsEnded } from '#server/storage/notifications.ts'
import {
  endAccessLinks,
  hasMail,
  isTakenAddress,
  lockMailbox,
  type MailboxRow,
  removeMailbox,
  updateMailbox,
} from './mailboxes-store.ts'
import { insertMailboxes, type LockedDomain, lockDomains } from './new-mailboxes-store.ts'
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

const HOLDER_SIGNS_IN = 'The address cannot change while somebody signs in with it'

type Change = Input<typeof editMailboxRoute>['body']

/** Changes what is given. The address, and with it the domain, is fixed once there is mail. */
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
      // The domain before the mailbox: whoever deletes a domain locks them in this order too.
      const [domain] = address ? await lockDomains(tx, workspaceId, [address.domain]) : []
      const current = await lockMailbox(tx, workspaceId, id)
      if (!current) throw new AppError('NOT_EXISTS')
      const email = address?.email ?? current.email
      if (domainOf(email) !== (domainName ?? domainOf(current.email))) throw outsideDomain()
      const status = change.status ?? current.status
      requireStatusChange(app, current.status, status)
      const moved = email !== current.email
      const row = await updateMailbox(tx, workspaceId, id, {
        ...fields,
        email,
        domainId: moved ? await newDomainId(app, tx, current, email, domain) : current.domainId,
        status,
      })
      if (status === 'suspended' && current.status !== status) await signHolderOut(app, tx, id)
      await announceMailboxes(tx, workspaceId)
      return toMailbox(row)
    })
  } catch (error) {
    throw isTakenAddress(error) ? new AppError('MAILBOX_EXISTS') : error
  }
}

/** Paying is what activates, where there is something to pay. */
const requireStatusChange = (
  app: App,
  from: MailboxRow['status'],
  to: MailboxRow['status'],
): void => {
  if (from === to) return
  const isAllowed =
    from === 'inactive' ? to === 'active' && app.config.billing === 'off' : to !== 'inactive'
  if (!isAllowed) throw new AppError('STATUS_NOT_ALLOWED')
}

/** A new address obeys the rules of a new mailbox. */
const newDomainId = async (
  app: App,
  db: Db,
  current: MailboxRow,
  email: string,
  found: LockedDomain | undefined,
): Promise<string> => {
  if (await hasMail(db, current.workspaceId, current.id)) throw new AppError('ADDRESS_FIXED')
  if (await hasHolder(db, current.id))
    throw new AppError('ADDRESS_FIXED', { message: HOLDER_SIGNS_IN })
  // Who was handed a link was told the other address.
  await endAccessLinks(db, current.workspaceId, current.id, app.clock.now())
  const domain = requireActive(found, 'domain')
  await endLinksMailedTo(app, db, [email])
  await requireFree(db, current.workspaceId, email)
  if (domain.id !== current.domainId) await requirePlaces(app, db, current.workspaceId, [domain], 1)
  return domain.id
}

/** A mailbox under an active domain of the workspace; its maker may read its mail. */
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
    const [found] = await lockDomains(tx, workspaceId, [domainName])
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

/** Deletes the mailbox with its mail: the same address made again starts empty. */
export const deleteMailbox = async (app: App, who: Who, id: string): Promise<void> => {
  if (!isId(id)) throw new AppError('NOT_EXISTS')
  await app.db.transaction().execute(async (tx) => {
    if (!(await removeMailbox(tx, who.workspaceId, id))) throw new AppError('NOT_EXISTS')
    await announceMailboxes(tx, who.workspaceId)
    // Its holder went with it.
    await announceSessionsEnded(tx)
  })
}
