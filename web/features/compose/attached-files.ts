/** Files that go with a message: what is known of them, and how many there may be. Their bytes are on the upload shelf. */
import type { Upload } from '#contract/mail/writing.ts'
import { formatBytes } from '#web/lib/format.ts'

export type AttachedFile = {
  /** Its place on the upload shelf. */
  key: string
  filename: string
  size: number
}

/** As base64 they grow by more than a third, and a message has 25 MB at most. */
export const MAX_ATTACHED_BYTES = 18_000_000
const MAX_FILES = 100
const MAX_NAME_LENGTH = 255

const isContentType = /^[\w.+-]+\/[\w.+-]+$/

/** null when these may be added. */
export function whyTooMuch(
  attached: readonly Pick<AttachedFile, 'size'>[],
  added: readonly { name: string; size: number }[],
): string | null {
  if (attached.length + added.length > MAX_FILES) return `At most ${MAX_FILES} files`
  const sum = [...attached, ...added].reduce((bytes, { size }) => bytes + size, 0)
  if (sum <= MAX_ATTACHED_BYTES) return null
  const names = added.length === 1 ? (added[0]?.name ?? '') : `these ${added.length} files`
  return `Attachments may have ${formatBytes(MAX_ATTACHED_BYTES)} in total; with ${names} they would have ${formatBytes(sum)}`
}

/** One line, and not too long. */
export const safeFilename = (name: string): string =>
  name.replace(/[\p{Cc}\u2028\u2029]/gu, '_').slice(-MAX_NAME_LENGTH) || 'file'

export const safeContentType = (type: string): string =>
  isContentType.test(type) ? type : 'application/octet-stream'

/** A file that the server has, under its `_id`. */
export const uploaded = ({ _id, filename, size }: Upload): AttachedFile => ({
  ...{ key: _id, filename, size },
})

export const base64Of = async (blob: Blob): Promise<string> => {
  const url = await dataUrlOf(blob)
  return url.slice(url.indexOf(',') + 1)
}

export const dataUrlOf = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })
