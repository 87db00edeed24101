/** Copies in this browser of messages being written. A copy that no tab has open was left by a reload or a crash. */
import { forgetLocally, keepLocally, keptLocally } from '#web/lib/local-store.ts'

/** `Values`: the content of the form. */
export type LocalCopy<Values> = {
  title: string
  at: number
  values: Values
  identity: DraftIdentity
  /** Pictures in the text, by their URL there. */
  pictures: [address: string, picture: Blob][]
  /** Set while the message is being sent without an answer from the server. */
  sendKey: string | null
}

/** Tells the server which draft is saved and by which form (contract/mail/writing.ts). */
export type DraftIdentity = {
  draft: string
  writer: string
  save: number
  basedOn: string | undefined
}

export const newDraft = (): DraftIdentity => ({
  draft: newUuid(),
  writer: newUuid(),
  save: 0,
  basedOn: undefined,
})

/** Like `crypto.randomUUID`, which pages without TLS do not have. */
export function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

const prefixOf = (mailboxId: string) => `compose ${mailboxId} `
export const copyId = (mailboxId: string, draft: string) => prefixOf(mailboxId) + draft

export const storeCopy = <V>(
  mailboxId: string,
  copy: LocalCopy<V>,
  owner: string | null,
): Promise<void> => keepLocally(copyId(mailboxId, copy.identity.draft), copy, owner)

export const deleteCopy = (mailboxId: string, draft: string): Promise<unknown> =>
  forgetLocally(copyId(mailboxId, draft)).catch(() => undefined)

/** The copies that are not open in any tab, newest first. */
export async function abandonedCopies<V>(mailboxId: string): Promise<LocalCopy<V>[]> {
  const copies = await keptLocally<LocalCopy<V>>(prefixOf(mailboxId)).catch(() => [])
  const held = (await navigator.locks?.query())?.held ?? []
  const isOpen = (id: string) => held.some(({ name }) => name === id)
  return copies.filter(({ id }) => !isOpen(id)).toSorted((a, b) => b.at - a.at)
}

/** Locks the draft, so that other tabs know that it is open here, until the returned function is called. */
export function lockCopy(mailboxId: string, draft: string): () => void {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  // Pages without TLS have no locks: then two tabs may show the same copy, and the server tells their saves apart.
  void navigator.locks?.request(copyId(mailboxId, draft), () => released)
  return release
}
