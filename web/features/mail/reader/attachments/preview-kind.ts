/** What can be looked at here. What it really is, its bytes say when they have come. */
import type { Attachment } from '../attachment-files.ts'

const MAX_PREVIEW_BYTES = 25_000_000

export function previewOf({ contentType, filename, size }: Attachment): 'picture' | 'pdf' | null {
  if (size > MAX_PREVIEW_BYTES) return null
  const isUntyped = contentType.toLowerCase() === 'application/octet-stream'
  const name = isUntyped ? filename : ''
  if (/^image\/(?:png|p?jpe?g|gif|webp|avif)$/i.test(contentType)) return 'picture'
  if (/\.(?:png|jpe?g|gif|webp|avif)$/i.test(name)) return 'picture'
  return /^application\/(?:x-)?pdf$/i.test(contentType) || /\.pdf$/i.test(name) ? 'pdf' : null
}
