/**
 * The private addresses that imports have named, until access is given: payment and other work may lie between.
 * In memory only: gone with the tab, and never shown to another user.
 */
import type { ListedMailbox } from '#contract/mailboxes.ts'

type Kept = { owner: string | null; address: string }
/** By the id of the mailbox, which belongs to one workspace. */
const kept = new Map<string, Kept>()

/** Beside those of earlier imports. */
export function keepAddresses(owner: string | null, addresses: ReadonlyMap<string, string>): void {
  for (const [id, address] of addresses) kept.set(id, { owner, address })
}

/** What an import has named for this mailbox. */
export function keptAddress(owner: string | null, id: string): string | null {
  const found = kept.get(id)
  return found && found.owner === owner ? found.address : null
}

/** Where the link that waits was mailed, else what an import has named. */
export function firstAddress(
  owner: string | null,
  { _id, access }: Pick<ListedMailbox, '_id' | 'access'>,
): string | null {
  return access.linkMailedTo ?? keptAddress(owner, _id)
}
