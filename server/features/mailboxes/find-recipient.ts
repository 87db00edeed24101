import { mailboxCan } from '#contract/mailboxes.ts'
import type { App } from '#server/app.ts'
import { baseOf, isRoleName, parseAddress, parseRecipient } from '#server/standards/address.ts'
import { readRecipient } from './recipient-store.ts'

export type Recipient =
  | { kind: 'mailbox'; mailboxId: string; workspaceId: string; email: string }
  /** postmaster@ and abuse@: the Admins of the workspace; null: the operator, for MAIL_HOST. */
  | { kind: 'role'; workspaceId: string | null }
  /** The domain is ours, but the address does not exist. */
  | { kind: 'unknown' }
  /** Not a domain of ours. */
  | { kind: 'foreign' }

/**
 * Finds the mailbox that gets mail for this address, ignoring case: the mailbox or alias of exactly this name, or else of the
 * name before its +tag, or else the catch-all of the domain. Mail for a mailbox that may not receive is refused and never goes
 * to the catch-all. One indexed query over all workspaces, run for every RCPT of any client; only domains with proven ownership
 * count.
 */
export const findRecipient = async (app: App, address: string): Promise<Recipient> => {
  const { mailHost } = app.config
  const [name = '', host] = address.toLowerCase().split('@')
  // RFC 5321 §4.5.1: <postmaster> without a domain is the operator. MAIL_HOST may be a name without a dot.
  if (isRoleName(name) && (host === mailHost || (host === undefined && name === 'postmaster')))
    return { kind: 'role', workspaceId: null }
  const parsed = parseRecipient(address)
  if (parsed === null) return { kind: 'unknown' }
  const { domain } = parsed
  const localPart = parsed.address.slice(0, -domain.length - 1).toLowerCase()
  const found = await readRecipient(
    app.db,
    domain,
    parsed.address,
    `${baseOf(localPart)}@${domain}`,
  )
  if (!found) return { kind: domain === mailHost ? 'unknown' : 'foreign' }
  // No mailbox can have such a name, and a catch-all is for mistyped addresses, not for malformed ones.
  if (parseAddress(address) === null) return { kind: 'unknown' }
  const { workspaceId, mailbox } = found
  if (isRoleName(localPart)) return { kind: 'role', workspaceId }
  if (!mailbox || !mailboxCan.receive(mailbox)) return { kind: 'unknown' }
  return { kind: 'mailbox', mailboxId: mailbox.id, workspaceId, email: mailbox.email }
}
