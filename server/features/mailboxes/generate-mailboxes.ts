/** Mailboxes in bulk: names x domains, all or none. A taken address gets a number. */
import { AppError, invalidField } from '#contract/errors.ts'
import {
  type generateMailboxes as generateMailboxesRoute,
  localPartFor,
  type Mailbox,
} from '#contract/mailboxes.ts'
import type { Input } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import { endLinksMailedTo } from '#server/features/accounts/holders.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { holdRight } from '#server/features/workspaces/hold-right.ts'
import { newId } from '#server/lib/ids.ts'
import { insertMailboxes } from './new-mailboxes-store.ts'
import {
  announceMailboxes,
  firstStatus,
  requireActive,
  requirePlaces,
  storedDomainName,
} from './place-mailboxes.ts'
import { proposeAddresses } from './propose-addresses.ts'
import { toMailbox } from './read-mailboxes.ts'
import { lockPlaces } from './within-reach.ts'

/** Every mailbox gets its own copy of the signature, in the database and in the answer. */
const MAX_SIGNATURES_LENGTH = 20_000_000

type Form = Input<typeof generateMailboxesRoute>['body']

/** @returns the mailboxes in the order in which the list shows them. */
export const generateMailboxes = async (app: App, who: Who, form: Form): Promise<Mailbox[]> => {
  const people = form.names.map((name) => ({
    ...name,
    localPart: localPartFor(name.firstName, name.lastName),
  }))
  const domainNames = [...new Set(form.domains.map((name) => storedDomainName(name, 'domains')))]
  const signature = form.signature ?? ''
  if (signature.length * people.length * domainNames.length > MAX_SIGNATURES_LENGTH)
    throw invalidField('signature', 'The signature is too large for so many mailboxes')
  const { workspaceId } = who
  return app.db.transaction().execute(async (tx) => {
    await holdRight(tx, who, 'manage-mailboxes')
    const found = await lockPlaces(tx, who, domainNames)
    const byName = new Map(found.map((domain) => [domain.name, domain]))
    const domains = domainNames.map((name) =>
      requireActive(byName.get(name), 'domains', `${name} is not in your workspace`),
    )
    await requirePlaces(app, tx, workspaceId, domains, people.length)
    const wanted = domains.flatMap((domain) => people.map((person) => ({ domain, person })))
    const emails = await proposeAddresses(
      tx,
      wanted.map(({ domain, person }) => ({ localPart: person.localPart, domain: domain.name })),
    )
    const createdAt = app.clock.now()
    const mailboxes = wanted.map(({ domain, person: { localPart: _, ...names } }, index) => ({
      ...names,
      // Among mailboxes with the same creation time the list shows the highest id first.
      id: newId(createdAt.getTime() + wanted.length - index),
      workspaceId,
      domainId: domain.id,
      email: emails[index] ?? '',
      signature,
      status: firstStatus(app),
      createdAt,
    }))
    const made = await insertMailboxes(tx, who.userId, mailboxes)
    if (made.length < mailboxes.length) throw new AppError('MAILBOX_EXISTS')
    await endLinksMailedTo(app, tx, emails)
    await announceMailboxes(tx, workspaceId)
    return made.map(toMailbox)
  })
}
