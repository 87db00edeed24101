/** The message that is being written, as it stands in this browser. One that no tab has open was left by a reload or a crash. */
import { forgetLocally, keepLocally, keptLocally } from '#web/lib/local-store.ts'

/** `Values`: what stands in the form. */
export type LocalCopy<Values> = {
  title: string
  at: number
  values: Values
  identity: DraftIdentity
  /** Pictures of the text by the address that shows them there. */
  pictures: [address: string, picture: Blob][]
  /** It was being sent, and no answer came. */
  sendKey: string | null
}

/** How the server knows which draft is saved, and by which form (contract/mail/writing.ts). */
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

/** As `crypto.randomUUID`, which pages without TLS do not have. */
export function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

const prefixOf = (mailboxId: string) => `compose ${mailboxId} `
export const copyId = (mailboxId: string, draft: string) => prefixOf(mailboxId) + draft

export const keepCopy = <V>(
  mailboxId: string,
  copy: LocalCopy<V>,
  owner: string | null,
): Promise<void> => keepLocally(copyId(mailboxId, copy.identity.draft), copy, owner)

export const forgetCopy = (mailboxId: string, draft: string): Promise<unknown> =>
  forgetLocally(copyId(mailboxId, draft)).catch(() => undefined)

/** Newest first; not those that are open, here or in another tab. */
export async function leftCopies<V>(mailboxId: string): Promise<LocalCopy<V>[]> {
  const copies = await keptLocally<LocalCopy<V>>(prefixOf(mailboxId)).catch(() => [])
  const held = (await navigator.locks?.query())?.held ?? []
  const isOpen = (id: string) => held.some(({ name }) => name === id)
  return copies.filter(({ id }) => !isOpen(id)).toSorted((a, b) => b.at - a.at)
}

/** Says to other tabs that this draft is open here, until the returned function is called. */
export function holdCopy(mailboxId: string, draft: string): () => void {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  // Not there on pages without TLS: then two tabs may show the same copy, and the server tells their saves apart.
  void navigator.locks?.request(copyId(mailboxId, draft), () => released)
  return release
}
