/** Fetches the pictures that a message loads from elsewhere, by our server (decision 026). */
import { open } from '#web/lib/api/api.ts'

const AT_ONCE = 6

export type Place = { mailboxId: string; messageId: string }

/** Calls `onPicture` for each as it comes; null for one that is not to be had. Ends early when aborted. */
export async function fetchPictures(
  { mailboxId, messageId }: Place,
  urls: readonly string[],
  onPicture: (url: string, blob: Blob | null) => void,
  signal: AbortSignal,
): Promise<void> {
  const message = `/mailboxes/${encodeURIComponent(mailboxId)}/messages/${encodeURIComponent(messageId)}`
  const waiting = [...urls]
  const fetchSome = async () => {
    for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
      const path = `${message}/picture?url=${encodeURIComponent(url)}`
      const blob = await open(path, { signal })
        .then((response) => response.blob())
        .catch(() => null)
      if (signal.aborted) return
      onPicture(url, blob)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, fetchSome))
}
