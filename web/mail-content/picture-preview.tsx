import { ChevronLeft, ChevronRight, Download } from 'lucide-react'
import { type ReactNode, type TouchEvent, useEffect, useRef, useState } from 'react'
import { messageOf } from '#web/lib/api/api-error.ts'
import { saveAs } from '#web/lib/save-as.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Spinner } from '#web/ui/state/loading.tsx'
import { type Attachment, asPicture, readAttachment } from './attachment-files.ts'

type PicturePreviewProps = {
  mailboxId: string
  messageId: string
  attachment: Attachment
  /** All pictures of the message, in its order. */
  pictures: readonly Attachment[]
  onShow: (attachment: Attachment) => void
  onClose: () => void
}

export function PicturePreview(props: PicturePreviewProps) {
  const { mailboxId, messageId, attachment, onClose } = props
  const { n, filename } = attachment
  const neighbours = neighboursIn(props)
  const swipe = useSwipe(neighbours, props.onShow)
  const [picture, setPicture] = useState<{ blob: Blob; url: string } | null>(null)
  const [problem, setProblem] = useState('')
  useEffect(() => {
    setPicture(null)
    setProblem('')
    const stop = new AbortController()
    let url = ''
    const show = async () => {
      const blob = await asPicture(await readAttachment(mailboxId, messageId, n, stop.signal))
      if (stop.signal.aborted) return
      if (!blob) return setProblem('The content of this file is not a picture.')
      url = URL.createObjectURL(blob)
      setPicture({ blob, url })
    }
    show().catch((error: unknown) => !stop.signal.aborted && setProblem(messageOf(error)))
    return () => {
      stop.abort()
      URL.revokeObjectURL(url)
    }
  }, [mailboxId, messageId, n])
  return (
    <Dialog isOpen onOpenChange={(isOpen) => !isOpen && onClose()} title={filename} size="large">
      <PictureSteps {...props} {...neighbours} />
      <div
        {...swipe}
        className="grid min-h-48 touch-pan-y touch-pinch-zoom place-items-center gap-4"
      >
        {problem !== '' ? (
          <ErrorState title="This picture cannot be shown" description={problem} />
        ) : picture ? (
          <>
            <img
              src={picture.url}
              alt={filename}
              onError={() => setProblem('The browser cannot display it.')}
              className="max-h-[65dvh] max-w-full rounded-lg bg-white object-contain"
            />
            <Button variant="secondary" onClick={() => saveAs(picture.blob, filename)}>
              <Download aria-hidden />
              Download
            </Button>
          </>
        ) : (
          <p role="status">
            <Spinner />
            <span className="sr-only">Loading {filename}</span>
          </p>
        )}
      </div>
    </Dialog>
  )
}

type Neighbours = { before: Attachment | undefined; after: Attachment | undefined }

const neighboursIn = ({ attachment, pictures }: PicturePreviewProps): Neighbours => {
  const at = pictures.findIndex(({ n }) => n === attachment.n)
  return { before: pictures[at - 1], after: pictures[at + 1] }
}

/** Pixels from which on a movement of a finger is a swipe. */
const SWIPE_PX = 48

/** One finger to the left leads to the next picture, to the right to the one before. */
function useSwipe({ before, after }: Neighbours, onShow: (to: Attachment) => void) {
  const start = useRef<{ x: number; y: number } | null>(null)
  return {
    onTouchStart: ({ touches }: TouchEvent) => {
      const finger = touches.length === 1 ? touches[0] : undefined
      start.current = finger ? { x: finger.clientX, y: finger.clientY } : null
    },
    onTouchEnd: ({ changedTouches }: TouchEvent) => {
      const [began, finger] = [start.current, changedTouches[0]]
      start.current = null
      if (!began || !finger) return
      const [across, along] = [finger.clientX - began.x, finger.clientY - began.y]
      const to = across < 0 ? after : before
      if (to && Math.abs(across) > SWIPE_PX && Math.abs(across) > 2 * Math.abs(along)) onShow(to)
    },
  }
}

/** Leads to the picture before and the one after, by buttons and by the arrow keys. */
function PictureSteps(props: PicturePreviewProps & Neighbours) {
  const { attachment, pictures, before, after, onShow } = props
  useEffect(() => {
    const listen = ({ key }: KeyboardEvent) => {
      const next = key === 'ArrowLeft' ? before : key === 'ArrowRight' ? after : undefined
      if (next) onShow(next)
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [before, after, onShow])
  if (pictures.length < 2) return null
  const step = (label: string, to: Attachment | undefined, icon: ReactNode) => (
    <Button
      variant="quiet"
      size="iconSmall"
      aria-label={label}
      // Not disabled: the focus would be lost at the last picture.
      aria-disabled={to === undefined}
      onClick={() => to && onShow(to)}
    >
      {icon}
    </Button>
  )
  return (
    <div className="mb-2 flex items-center justify-center gap-2 text-soft text-sm">
      {step('Previous picture', before, <ChevronLeft aria-hidden />)}
      <span className="tabular-nums">
        {pictures.findIndex(({ n }) => n === attachment.n) + 1} of {pictures.length}
      </span>
      {step('Next picture', after, <ChevronRight aria-hidden />)}
    </div>
  )
}
