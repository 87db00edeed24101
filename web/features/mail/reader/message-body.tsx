import { ImageOff } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { Message } from '#contract/messages.ts'
import { Skeleton } from '#web/ui/state/skeleton.tsx'
import { inlinePictures, readInlinePictures } from './attachment-files.ts'
import { PlainText } from './plain-text.tsx'

const MailFrame = lazy(async () => ({ default: (await import('./mail-frame.tsx')).MailFrame }))

const noImages: ReadonlyMap<string, string> = new Map()

/** The text or the HTML of a message, and where the link under the pointer leads. */
export function MessageBody({ mailboxId, message }: { mailboxId: string; message: Message }) {
  const [destination, setDestination] = useState('')
  const [hasRemote, setHasRemote] = useState(false)
  const images = useInlineImages(mailboxId, message)
  return (
    <>
      {hasRemote && (
        <p className="mx-5 mb-4 flex items-center gap-2.5 rounded-xl bg-hover px-3.5 py-2.5 text-soft text-sm sm:mx-6">
          <ImageOff className="size-4 shrink-0" aria-hidden />
          Remote content is not shown, so that the sender does not learn that you read this.
        </p>
      )}
      {message.html === null ? (
        <PlainText text={message.text} onLink={setDestination} />
      ) : (
        <div className="border-line border-y">
          <Suspense fallback={<LoadingBody />}>
            <MailFrame
              html={message.html}
              images={images}
              title={`Message: ${message.subject || '(no subject)'}`}
              onLink={setDestination}
              onRemoteContent={setHasRemote}
            />
          </Suspense>
        </div>
      )}
      {destination !== '' && (
        <p
          aria-hidden
          className="pointer-events-none sticky bottom-2 z-10 mx-2 w-fit max-w-[calc(100%-1rem)] truncate rounded-md bg-ink px-2.5 py-1 text-canvas text-xs shadow-floating"
        >
          Opens {destination}
        </p>
      )}
    </>
  )
}

/** The message's own pictures as addresses of this page, released with it. */
function useInlineImages(mailboxId: string, message: Message): ReadonlyMap<string, string> {
  const [images, setImages] = useState(noImages)
  const wanted = inlinePictures(message)
    .map(({ n }) => n)
    .join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: a message never changes, only its flags do
  useEffect(() => {
    setImages(noImages)
    if (wanted === '') return
    const stop = new AbortController()
    const made: string[] = []
    void readInlinePictures(mailboxId, message, stop.signal).then((pictures) => {
      if (stop.signal.aborted) return
      const shown = [...pictures].map(([id, blob]) => {
        const url = URL.createObjectURL(blob)
        made.push(url)
        return [id, url] as const
      })
      setImages(new Map(shown))
    })
    return () => {
      stop.abort()
      for (const url of made) URL.revokeObjectURL(url)
    }
  }, [mailboxId, message._id, wanted])
  return images
}

export function LoadingBody() {
  return (
    <div role="status" className="grid gap-3 px-5 py-6 sm:px-6">
      <span className="sr-only">Loading the message</span>
      {['w-11/12', 'w-full', 'w-4/5', 'w-2/3'].map((width) => (
        <Skeleton key={width} className={`h-4 ${width}`} />
      ))}
    </div>
  )
}
