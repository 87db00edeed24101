import { FileWarning } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import type { Message } from '#contract/messages.ts'
import { lazyPart } from '#web/lib/fetch-part.ts'
import { inlinePictures, readInlinePictures } from '#web/mail-content/attachment-files.ts'
import { PlainText } from '#web/mail-content/plain-text.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { PicturesNote } from './pictures-note.tsx'
import type { Pictures } from './use-pictures.ts'

const MailFrame = lazyPart(async () => (await import('#web/mail-content/mail-frame.tsx')).MailFrame)

const LATE_MS = 150
const noImages: ReadonlyMap<string, string> = new Map()

type MessageBodyProps = {
  message: Message
  /** Its own, by Content-ID. */
  images: ReadonlyMap<string, string>
  /** Those from elsewhere. */
  pictures: Pictures
  /** A mailto: link was followed. */
  onWrite: (mailto: string) => void
}

/** The text or the HTML of a message, and where the link under the pointer leads. */
export function MessageBody({ message, images, pictures, onWrite }: MessageBodyProps) {
  const [destination, setDestination] = useState('')
  return (
    <>
      <PicturesNote pictures={pictures} />
      {message.isSource && <SourceNote />}
      {message.html === null ? (
        <PlainText text={message.text} onLink={setDestination} onWrite={onWrite} />
      ) : (
        <div className="border-line border-y">
          <Suspense fallback={<LoadingBody />}>
            <MailFrame
              html={message.html}
              images={images}
              pictures={pictures.shown}
              title={`Message: ${message.subject || '(no subject)'}`}
              onLink={setDestination}
              onWrite={onWrite}
              onRemotePictures={pictures.onFound}
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

/** Said of a message that is not written as messages are. */
function SourceNote() {
  return (
    <p className="mx-5 mb-4 flex gap-2.5 rounded-xl bg-hover px-3.5 py-2.5 text-soft text-sm sm:mx-6">
      <FileWarning className="size-4 shrink-0 translate-y-0.5" aria-hidden />
      The format of this message could not be read, so all of it is shown as it came.
    </p>
  )
}

/** The message's own pictures as addresses of this page, released with it. */
export function useInlineImages(mailboxId: string, message: Message): ReadonlyMap<string, string> {
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

/** Most messages are there before anybody could see lines in their place: those would only flash. */
export function LoadingBody() {
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), LATE_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div role="status" className="grid min-h-37 gap-3 px-5 py-6 sm:px-6">
      <span className="sr-only">Loading the message</span>
      {isLate &&
        ['w-11/12', 'w-full', 'w-4/5', 'w-2/3'].map((width) => (
          <Skeleton key={width} className={`h-4 ${width}`} />
        ))}
    </div>
  )
}
