/** The attachments of a message: their data and limits. Their bytes are on the upload shelf. */
import { MAX_UPLOAD_BYTES, type Upload } from '#contract/mail/writing.ts'
import { formatBytes } from '#web/lib/format.ts'

export type AttachedFile = {
  /** Its key on the upload shelf. */
  key: string
  filename: string
  size: number
}

const MAX_FILES = 100
const MAX_NAME_LENGTH = 255

const isContentType = /^[\w.+-]+\/[\w.+-]+$/

/** Says why these files may not be added; null when they may. */
export function whyTooMuch(
  attached: readonly Pick<AttachedFile, 'size'>[],
  added: readonly { name: string; size: number }[],
): string | null {
  if (attached.length + added.length > MAX_FILES) return `At most ${MAX_FILES} files`
  const sum = [...attached, ...added].reduce((bytes, { size }) => bytes + size, 0)
  if (sum <= MAX_UPLOAD_BYTES) return null
  const names = added.length === 1 ? (added[0]?.name ?? '') : `these ${added.length} files`
  return `Too large: at most ${formatBytes(MAX_UPLOAD_BYTES)} in all (${formatBytes(sum)} with ${names}).`
}

/** Returns the name on one line, cut to MAX_NAME_LENGTH. */
export const safeFilename = (name: string): string =>
  name.replace(/[\p{Cc}\u2028\u2029]/gu, '_').slice(-MAX_NAME_LENGTH) || 'file'

export const safeContentType = (type: string): string =>
  isContentType.test(type) ? type : 'application/octet-stream'

/** An attachment that the server has; its key is its `_id`. */
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
