/** Files that go with a message: read at once, so that they are there when it is sent. */
import { formatBytes } from '#web/lib/format.ts'

export type AttachedFile = {
  /** For the list on the screen. */
  key: string
  filename: string
  contentType: string
  size: number
  /** base64 */
  content: string
}

/** As base64 they grow by more than a third, and a message has 25 MB at most. */
export const MAX_ATTACHED_BYTES = 18_000_000
const MAX_FILES = 100
const MAX_NAME_LENGTH = 255

let count = 0
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
  return `Attachments may have ${formatBytes(MAX_ATTACHED_BYTES)} together; with ${names} they would have ${formatBytes(sum)}`
}

export async function attach(
  blob: Blob,
  filename: string,
  contentType: string,
): Promise<AttachedFile> {
  count += 1
  return {
    key: `file ${count}`,
    filename: filename.replace(/[\p{Cc}\u2028\u2029]/gu, '_').slice(-MAX_NAME_LENGTH) || 'file',
    contentType: isContentType.test(contentType) ? contentType : 'application/octet-stream',
    size: blob.size,
    content: await base64Of(blob),
  }
}

const base64Of = async (blob: Blob): Promise<string> => {
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
