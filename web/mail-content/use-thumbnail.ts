import { useEffect, useState } from 'react'
import { type Attachment, asPicture, readAttachment } from './attachment-files.ts'

/** Larger pictures show their icon until they are opened. */
const MAX_BYTES = 2_000_000

/** Object URL of a small picture; null while it loads, and for what is none: the tile shows an icon then, and no error. */
export function useThumbnail(
  mailboxId: string,
  messageId: string,
  { n, size }: Attachment,
  isPicture: boolean,
): string | null {
  const [url, setUrl] = useState<string | null>(null)
  const isWanted = isPicture && size <= MAX_BYTES
  useEffect(() => {
    if (!isWanted) return
    const stop = new AbortController()
    let made = ''
    const load = async () => {
      const picture = await asPicture(await readAttachment(mailboxId, messageId, n, stop.signal))
      if (!picture || stop.signal.aborted) return
      made = URL.createObjectURL(picture)
      setUrl(made)
    }
    load().catch(() => undefined)
    return () => {
      stop.abort()
      URL.revokeObjectURL(made)
      setUrl(null)
    }
  }, [isWanted, mailboxId, messageId, n])
  return url
}
