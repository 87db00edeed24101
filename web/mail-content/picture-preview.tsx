import { Download } from 'lucide-react'
import { useEffect, useState } from 'react'
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
  onClose: () => void
}

export function PicturePreview(props: PicturePreviewProps) {
  const { mailboxId, messageId, attachment, onClose } = props
  const { n, filename } = attachment
  const [picture, setPicture] = useState<{ blob: Blob; url: string } | null>(null)
  const [problem, setProblem] = useState('')
  useEffect(() => {
    const stop = new AbortController()
    let url = ''
    const show = async () => {
      const blob = await asPicture(await readAttachment(mailboxId, messageId, n, stop.signal))
      if (stop.signal.aborted) return
      if (!blob) return setProblem('It is named a picture, but it is not one.')
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
      <div className="grid min-h-48 place-items-center gap-4">
        {problem !== '' ? (
          <ErrorState title="This picture cannot be shown" description={problem} />
        ) : picture ? (
          <>
            <img
              src={picture.url}
              alt={filename}
              onError={() => setProblem('The browser cannot read it.')}
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
