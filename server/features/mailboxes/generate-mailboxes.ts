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
import { isRoleName } from '#server/standards/address.ts'
import type { Db } from '#server/storage/database.ts'
import { takenAddresses } from './addresses-store.ts'
import { insertMailboxes, lockDomains } from './new-mailboxes-store.ts'
import {
  announceMailboxes,
  firstStatus,
  requireActive,
  requirePlaces,
  storedDomainName,
} from './place-mailboxes.ts'
import { toMailbox } from './read-mailboxes.ts'

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
    const found = await lockDomains(tx, workspaceId, domainNames)
    const byName = new Map(found.map((domain) => [domain.name, domain]))
    const domains = domainNames.map((name) =>
      requireActive(byName.get(name), 'domains', `${name} is not in your workspace`),
    )
    await requirePlaces(app, tx, workspaceId, domains, people.length)
    const wanted = domains.flatMap((domain) => people.map((person) => ({ domain, person })))
    const emails = await freeAddresses(tx, wanted)
    const createdAt = app.clock.now()
    const mailboxes = wanted.map(({ domain, person: { localPart: _, ...names } }, index) => ({
      ...names,
      // Of the same moment, the list shows the highest id first.
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

type Wanted = { domain: { name: string }; person: { localPart: string } }

/** An address for each, with the lowest number that is free: ada@, then ada2@, ada3@. */
const freeAddresses = async (db: Db, wanted: Wanted[]): Promise<string[]> => {
  const chosen: (string | undefined)[] = wanted.map(() => undefined)
  const used = new Set<string>()
  // Look at wider and wider ranges of numbers, so that a few round trips do.
  for (let from = 1, many = 1; chosen.includes(undefined); from += many, many *= 16) {
    const candidates = ({ domain, person: { localPart } }: Wanted) =>
      Array.from({ length: many }, (_, step) => from + step)
        .filter((number) => number > 1 || !isRoleName(localPart))
        .map((number) => `${localPart}${number > 1 ? number : ''}@${domain.name}`)
    const open = wanted.filter((_, index) => chosen[index] === undefined)
    const taken = await takenAddresses(db, [...new Set(open.flatMap(candidates))])
    wanted.forEach((one, index) => {
      if (chosen[index] !== undefined) return
      const free = candidates(one).find((email) => !taken.has(email) && !used.has(email))
      if (free === undefined) return
      chosen[index] = free
      used.add(free)
    })
  }
  return chosen.filter((email) => email !== undefined)
}
