/** The addresses that a reader of a mailbox may send as. Callers check first that the user may read it (decision 057). */
import { AppError, invalidField } from '#contract/errors.ts'
import { INVALID_RECIPIENT, NOT_OWN_ADDRESS } from '#contract/messages.ts'
import type { App } from '#server/app.ts'
import { baseOf, parseAddress } from '#server/standards/address.ts'
import { readAliases } from './addresses-store.ts'
import { findHeld } from './mailbox-queries.ts'
import { readRecipient } from './recipient-store.ts'

type OwnMailbox = { id: string; workspaceId: string; email: string }
type ReadMailbox = NonNullable<Awaited<ReturnType<typeof findHeld>>> & {
  readerId: string | null
  canSend: boolean | null
}
/** The mailbox that a message is from, and its address. */
export type Sender = { mailbox: Awaited<ReturnType<typeof findHeld>> & {}; address: string }

const NO_SENDING = 'You may read this mailbox, but not send from it'

/** The mailbox's own address, then its aliases, oldest first. */
export const ownAddresses = async (app: App, mailbox: OwnMailbox): Promise<string[]> => {
  const aliases = await readAliases(app.db, mailbox.workspaceId, mailbox.id)
  return [mailbox.email, ...aliases.map(({ email }) => email)]
}

/** What a reader may send as from this mailbox: as the mailbox, where that was given too, and as themselves. */
export const sendersOf = async (app: App, mailbox: ReadMailbox): Promise<string[]> => {
  const held = await ownMailboxOf(app, mailbox)
  return [
    ...(mailbox.canSend ? await ownAddresses(app, mailbox) : []),
    ...(held ? await ownAddresses(app, held) : []),
  ]
}

/** The mailbox with whose address the reader signs in, when it is another one. */
const ownMailboxOf = async (app: App, { id, workspaceId, readerId }: ReadMailbox) => {
  const held = readerId === null ? undefined : await findHeld(app.db, workspaceId, readerId)
  return held?.id === id ? undefined : held
}

/**
 * The sender of a message that a reader writes in the mailbox.
 * @throws VALIDATION at `from`; FORBIDDEN for a reader who may send as nothing
 */
export const senderOf = async (
  app: App,
  mailbox: ReadMailbox,
  typed: string | undefined,
): Promise<Sender> => {
  const held = await ownMailboxOf(app, mailbox)
  const senders = [...(mailbox.canSend ? [mailbox] : []), ...(held ? [held] : [])]
  const [first] = senders
  if (first === undefined) throw new AppError('FORBIDDEN', { message: NO_SENDING })
  for (const sender of senders.slice(1))
    if (typed !== undefined && (await isOwnAddress(app, sender, typed)))
      return { mailbox: sender, address: await senderAddress(app, sender, typed) }
  return { mailbox: first, address: await senderAddress(app, first, typed) }
}

const isOwnAddress = async (app: App, mailbox: OwnMailbox, typed: string): Promise<boolean> => {
  try {
    await senderAddress(app, mailbox, typed)
    return true
  } catch (error) {
    if (error instanceof AppError && error.type === 'VALIDATION') return false
    throw error
  }
}

/**
 * The sender address of a message: the mailbox's address or an alias, also with a +tag unless another mailbox has that address.
 * Must be a plain address, since a display name could hide another one. Absent: the mailbox's own.
 * @throws VALIDATION at `from`
 */
const senderAddress = async (
  app: App,
  mailbox: OwnMailbox,
  typed: string | undefined,
): Promise<string> => {
  if (typed === undefined) return mailbox.email
  const parsed = parseAddress(typed.trim())
  if (parsed === null) throw invalidField('from', INVALID_RECIPIENT)
  const { address, domain, local } = parsed
  if (address === mailbox.email) return address
  const base = `${baseOf(local.toLowerCase())}@${domain}`
  const found = await readRecipient(app.db, domain, address, base)
  const isOwn = found?.workspaceId === mailbox.workspaceId && found.mailbox?.id === mailbox.id
  if (!isOwn || found.mailbox?.isCatchAll) throw invalidField('from', NOT_OWN_ADDRESS)
  return address
}
