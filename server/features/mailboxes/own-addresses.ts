/** What a mailbox may send as. Who may read it is asked before. */
import { invalidField } from '#contract/errors.ts'
import { INVALID_RECIPIENT, NOT_OWN_ADDRESS } from '#contract/messages.ts'
import type { App } from '#server/app.ts'
import { baseOf, parseAddress } from '#server/standards/address.ts'
import { readAliases } from './addresses-store.ts'
import { readRecipient } from './recipient-store.ts'

type OwnMailbox = { id: string; workspaceId: string; email: string }

/** Its own address, then its aliases, oldest first. */
export const ownAddresses = async (app: App, mailbox: OwnMailbox): Promise<string[]> => {
  const aliases = await readAliases(app.db, mailbox.workspaceId, mailbox.id)
  return [mailbox.email, ...aliases.map(({ email }) => email)]
}

/**
 * The address that a message is from: whatever lands in this mailbox by its own name or an alias, with any +tag that is
 * nobody's own. One plain address: a name beside it is where other addresses hide. Absent: the mailbox's own.
 * @throws VALIDATION at `from`
 */
export const senderAddress = async (
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
