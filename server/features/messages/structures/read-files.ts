/** Opens attachments of a message. Of a large one only their bytes are read, and those between the parts (decision 090). */
import type { App } from '#server/app.ts'
import { bufferOf } from '#server/lib/threads/own-buffers.ts'
import type { Part } from '#server/standards/mime/structure/mail-structure.ts'
import { skeletonOf } from '#server/standards/mime/structure/skeleton.ts'
import type { OpenedAttachment } from '#server/standards/reading/opened-message.ts'
import { readAttachments } from '#server/standards/reading/read-message.ts'
import { readContent, readRange } from './read-parts.ts'
import { type MessageBytes, structureOf } from './structures.ts'
import type { MailboxPlace } from './structures-store.ts'

/** Below this a mail is read and parsed whole in less time. */
const LARGE_BYTES = 500_000
/** More than headers: bytes that the structure does not know as parts. */
const MOST_BETWEEN_BYTES = 300_000

/** Those at these positions, in this order; null when one is not there. */
export const readFiles = async (
  app: App,
  place: MailboxPlace,
  message: MessageBytes,
  positions: readonly number[],
): Promise<OpenedAttachment[] | null> =>
  (message.sizeBytes < LARGE_BYTES
    ? null
    : await readByStructure(app, place, message, positions)) ??
  (await readAttachments(await app.blobs.get(message.blob), positions, place.workspaceId))

/** null: the structure does not tell which parts they are. */
const readByStructure = async (
  app: App,
  place: MailboxPlace,
  message: MessageBytes,
  positions: readonly number[],
): Promise<OpenedAttachment[] | null> => {
  const by = place.workspaceId
  const structure = await structureOf(app, place, message)
  const skeleton = await skeletonOf(structure.part, MOST_BETWEEN_BYTES, (range) =>
    readRange(app, message, structure, range),
  )
  if (skeleton === null) return null
  // A message that was encoded hides its files, which count where they come before the wanted ones.
  const all = Array.from({ length: Math.max(...positions) + 1 }, (_, n) => n)
  const files = await readAttachments(skeleton.raw, all, by)
  const parts = files?.map(({ content }) => skeleton.partOf(content))
  if (files === null || parts?.some((part, n) => isUnknown(files[n], part))) return null
  const opened: OpenedAttachment[] = []
  for (const n of positions) {
    const [file, part] = [files[n], parts?.[n]]
    if (file === undefined) return null
    const content =
      part === undefined ? file.content : await readContent(app, message, structure, { part, by })
    if (content === null) return null
    opened.push({ ...file, content: bufferOf(content) })
  }
  return opened
}

const isUnknown = (file: OpenedAttachment | undefined, part: Part | undefined): boolean => {
  if (file === undefined || file.content.length === 0) return false
  return part === undefined || (file.contentType === 'message/rfc822' && part.message === undefined)
}
