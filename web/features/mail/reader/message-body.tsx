import { FileWarning, Image, ImageOff } from 'lucide-react'
import { type ReactNode, Suspense, useEffect, useMemo, useState } from 'react'
import type { Message } from '#contract/messages.ts'
import { inlinePictures, readInlinePictures } from '#web/mail-content/attachment-files.ts'
import { MailFrame } from '#web/mail-content/lazy-mail-frame.ts'
import { sizesOf } from '#web/mail-content/picture-room.ts'
import { PlainText } from '#web/mail-content/plain-text.tsx'
import { AWAITED } from '#web/mail-content/remote-pictures.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Skeleton, Spinner } from '#web/ui/state/loading.tsx'
import type { Pictures } from './use-pictures.ts'

const LATE_MS = 150
const noImages: ReadonlyMap<string, string> = new Map()

type MessageBodyProps = {
  message: Message
  /** Inline images of the message, by Content-ID. */
  images: ReadonlyMap<string, string>
  /** Remote pictures. */
  pictures: Pictures
  /** Called when a mailto: link was clicked. */
  onWrite: (mailto: string) => void
}

/** The text or HTML of a message, and the target of the link under the pointer. */
export function MessageBody({ message, images, pictures, onWrite }: MessageBodyProps) {
  const [destination, setDestination] = useState('')
  // biome-ignore lint/correctness/useExhaustiveDependencies: a message never changes, only its flags do
  const sizes = useMemo(() => sizesOf(message), [message._id])
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
              sizes={sizes}
              pictures={pictures.loaded}
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

/** Above a message with remote pictures: asks the reader whether to show them, and lets them stop that again. */
export function PicturesNote({ pictures }: { pictures: Pictures }) {
  const { state, sender, isAlways, missing } = pictures
  if (state === 'none' || state === 'asking') return null
  if (state === 'hidden')
    return (
      <Note
        icon={<ImageOff className="size-4 shrink-0" aria-hidden />}
        text="Pictures are not shown, so that the sender does not learn that you read this."
      >
        <Button variant="secondary" size="small" onClick={pictures.show}>
          Show pictures
        </Button>
        {sender && (
          <Button variant="quiet" size="small" onClick={pictures.showAlways}>
            Always from this sender
          </Button>
        )}
      </Note>
    )
  const failed = missingText(missing)
  const text = [isAlways && `Pictures from ${sender} are always shown.`, failed].filter(Boolean)
  if (state === 'loading')
    return (
      <Note icon={<Spinner className="size-4" />} text="Fetching the pictures">
        {isAlways && <StopButton onPress={pictures.stopAlways} />}
      </Note>
    )
  if (text.length === 0) return null
  return (
    <Note icon={<Image className="size-4 shrink-0" aria-hidden />} text={text.join(' ')}>
      {isAlways && <StopButton onPress={pictures.stopAlways} />}
    </Note>
  )
}

const missingText = (count: number): string =>
  count === 0
    ? ''
    : count === 1
      ? '1 picture could not be loaded.'
      : `${count} pictures could not be loaded.`

function StopButton({ onPress }: { onPress: () => void }) {
  return (
    <Button variant="quiet" size="small" onClick={onPress}>
      Stop
      <span className="sr-only"> showing the pictures of this sender</span>
    </Button>
  )
}

type NoteProps = { icon: ReactNode; text: string; children?: ReactNode }

function Note({ icon, text, children }: NoteProps) {
  return (
    <section
      aria-label="Pictures"
      className="mx-5 mb-4 flex flex-wrap items-center gap-x-2.5 gap-y-2 rounded-xl bg-hover px-3.5 py-2 text-soft text-sm sm:mx-6"
    >
      {icon}
      <p role="status" className="wrap-anywhere min-w-48 flex-1">
        {text}
      </p>
      <div className="flex flex-wrap items-center gap-1">{children}</div>
    </section>
  )
}

/** Shown for a message whose format could not be parsed. */
function SourceNote() {
  return (
    <p className="mx-5 mb-4 flex gap-2.5 rounded-xl bg-hover px-3.5 py-2.5 text-soft text-sm sm:mx-6">
      <FileWarning className="size-4 shrink-0 translate-y-0.5" aria-hidden />
      The format of this message could not be read, so its source is shown instead.
    </p>
  )
}

/** Object URLs of the inline images, revoked when the message closes. */
export function useInlineImages(mailboxId: string, message: Message): ReadonlyMap<string, string> {
  const wanted = inlinePictures(message)
    .map(({ n }) => n)
    .join(' ')
  const [images, setImages] = useState(wanted === '' ? noImages : AWAITED)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a message never changes, only its flags do
  useEffect(() => {
    setImages(wanted === '' ? noImages : AWAITED)
    if (wanted === '') return
    const stop = new AbortController()
    const objectUrls: string[] = []
    void readInlinePictures(mailboxId, message, stop.signal).then((pictures) => {
      if (stop.signal.aborted) return
      const entries = [...pictures].map(([id, blob]) => {
        const url = URL.createObjectURL(blob)
        objectUrls.push(url)
        return [id, url] as const
      })
      setImages(new Map(entries))
    })
    return () => {
      stop.abort()
      for (const url of objectUrls) URL.revokeObjectURL(url)
    }
  }, [mailboxId, message._id, wanted])
  return images
}

/** The placeholder lines appear after LATE_MS: most messages load sooner, and the lines would only flash. */
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
