/**
 * The private addresses that imports have named and people have typed, until access is given: payment and other work may lie
 * between. Kept in this tab, also when it is loaded again, and never shown to another user; a log-out ends them.
 */
import type { ListedMailbox } from '#contract/mailboxes.ts'

const KEY = 'mailstead-private-addresses'

type Kept = { owner: string | null; address: string }
/** By the id of the mailbox, which belongs to one workspace. */
let kept: Map<string, Kept> | null = null

/** Tests and the drawing server have no storage of a tab. */
const storage = (): Storage | null =>
  typeof sessionStorage === 'undefined' ? null : sessionStorage

const all = (): Map<string, Kept> => {
  kept ??= read()
  return kept
}

const read = (): Map<string, Kept> => {
  try {
    return new Map<string, Kept>(JSON.parse(storage()?.getItem(KEY) ?? '[]'))
  } catch {
    // Not what this version wrote.
    return new Map()
  }
}

/** Beside those of earlier imports; an empty address ends what was kept. */
export function keepAddresses(owner: string | null, addresses: ReadonlyMap<string, string>): void {
  for (const [id, address] of addresses)
    if (address === '') all().delete(id)
    else all().set(id, { owner, address })
  try {
    storage()?.setItem(KEY, JSON.stringify([...all()]))
  } catch {
    // A full storage keeps them until the page is loaded again.
  }
}

/** When the user logs out. */
export function forgetAddresses(): void {
  kept = null
  storage()?.removeItem(KEY)
}

/** What an import has named for this mailbox. */
export function keptAddress(owner: string | null, id: string): string | null {
  const found = all().get(id)
  return found && found.owner === owner ? found.address : null
}

/** Where the link that waits was mailed, else what an import has named or somebody has typed. */
export function firstAddress(
  owner: string | null,
  { _id, access }: Pick<ListedMailbox, '_id' | 'access'>,
): string | null {
  return access.linkMailedTo ?? keptAddress(owner, _id)
}
