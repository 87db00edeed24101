/** The messages of a mailbox or of one of its folders as one mbox file, oldest first: memory holds a piece of one message. */
import type { App } from '#server/app.ts'
import { BlobMissing } from '#server/lib/files/blob-trouble.ts'
import { writeMboxMessage } from '#server/standards/mbox/write-mbox.ts'
import { messagesAfter } from './exports-store.ts'

const PAGE = 100

type Place = { workspaceId: string; mailboxId: string; folderId: string | null }

type Watch = {
  onMessage?: () => Promise<void>
  /** Before the next hundred. */
  onPage?: () => Promise<void>
  /** Of a message whose bytes are lost, which is left out. Without it, the file breaks off there. */
  onLost?: (messageId: string) => void
}

/** @throws BlobMissing; what `watch` throws */
export async function* mboxOf(
  { db, blobs }: Pick<App, 'db'> & { blobs: Pick<App['blobs'], 'open'> },
  place: Place,
  { onMessage, onPage, onLost }: Watch,
): AsyncGenerator<Buffer> {
  for (let page = await messagesAfter(db, place, null, PAGE); page.length > 0; ) {
    for (const { blob, role, name, ...message } of page) {
      const raw = await blobs.open(blob).catch((error: unknown) => {
        if (onLost === undefined || !(error instanceof BlobMissing)) throw error
        onLost(message.id)
        return null
      })
      if (raw === null) continue
      const folder = role === null ? { name } : { role }
      yield* writeMboxMessage({ ...message, folder }, raw.pieces())
      await onMessage?.()
    }
    const last = page.at(-1)
    await onPage?.()
    page = last === undefined ? [] : await messagesAfter(db, place, last, PAGE)
  }
}
