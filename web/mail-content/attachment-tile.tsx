/** One file of a message: to be looked at when it is a picture or a PDF, and to be saved. */
import { Download, FileText, Image, Paperclip } from 'lucide-react'
import { useState } from 'react'
import { messageOf, UserFacingError } from '#web/lib/api/api-error.ts'
import { formatBytes } from '#web/lib/format.ts'
import { toast } from '#web/lib/toast-store.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Spinner } from '#web/ui/state/loading.tsx'
import { type Attachment, downloadAttachment, readAttachment } from './attachment-files.ts'
import { FileName } from './file-name.tsx'

const iconOf = (contentType: string) => {
  if (contentType.startsWith('image/')) return Image
  return /pdf|text|word|document/.test(contentType) ? FileText : Paperclip
}

type AttachmentTileProps = {
  mailboxId: string
  messageId: string
  attachment: Attachment
  onPreview: (attachment: Attachment) => void
}

export function AttachmentTile(props: AttachmentTileProps) {
  const { mailboxId, messageId, attachment, onPreview } = props
  const [pending, setPending] = useState<'download' | 'preview' | null>(null)
  const Icon = iconOf(attachment.contentType)
  const { filename } = attachment
  const attempt = async (what: 'download' | 'preview', act: () => Promise<void>) => {
    setPending(what)
    await act()
      .catch((error: unknown) =>
        toast({
          title: `${filename} could not be ${what === 'download' ? 'downloaded' : 'shown'}`,
          description: messageOf(error),
          variant: 'error',
        }),
      )
      .finally(() => setPending(null))
  }
  const download = () =>
    attempt('download', () => downloadAttachment(mailboxId, messageId, attachment))
  const kind = previewOf(attachment)
  const preview = () =>
    kind === 'picture'
      ? onPreview(attachment)
      : void attempt('preview', () => openPdf(mailboxId, messageId, attachment))
  const about = (
    <>
      <span className="grid size-8 shrink-0 place-items-center rounded-lg bg-accent-wash text-accent-ink">
        {pending === 'preview' ? <Spinner /> : <Icon className="size-4" aria-hidden />}
      </span>
      <span className="sr-only">{kind ? 'Show' : 'Attached:'}</span>
      <span className="grid min-w-0">
        <FileName name={filename} className="max-w-56 text-sm sm:max-w-96" />
        <span className="text-soft text-xs">{formatBytes(attachment.size)}</span>
      </span>
    </>
  )
  return (
    <div
      title={filename}
      className="flex max-w-full items-center rounded-xl border border-line bg-surface"
    >
      {kind ? (
        <button
          type="button"
          onClick={preview}
          disabled={pending !== null}
          className="flex min-w-0 items-center gap-3 rounded-l-xl py-2 pr-2 pl-3 text-left hover:bg-hover"
        >
          {about}
        </button>
      ) : (
        <span className="flex min-w-0 items-center gap-3 py-2 pr-2 pl-3">{about}</span>
      )}
      <Button
        variant="quiet"
        size="iconSmall"
        className="mr-1.5 shrink-0"
        aria-label={`Download ${filename}`}
        disabled={pending !== null}
        onClick={() => void download()}
      >
        {pending === 'download' ? <Spinner /> : <Download aria-hidden />}
      </Button>
    </div>
  )
}

const MAX_PREVIEW_BYTES = 25_000_000

/** What can be looked at here. What it really is, its bytes say when they have come. */
export function previewOf({ contentType, filename, size }: Attachment): 'picture' | 'pdf' | null {
  if (size > MAX_PREVIEW_BYTES) return null
  const isUntyped = contentType.toLowerCase() === 'application/octet-stream'
  const name = isUntyped ? filename : ''
  if (/^image\/(?:png|p?jpe?g|gif|webp|avif)$/i.test(contentType)) return 'picture'
  if (/\.(?:png|jpe?g|gif|webp|avif)$/i.test(name)) return 'picture'
  return /^application\/(?:x-)?pdf$/i.test(contentType) || /\.pdf$/i.test(name) ? 'pdf' : null
}

/** The viewer has read it by then. */
const KEPT_MS = 120_000
/** A header may come after some other bytes. */
const HEADER_WITHIN_BYTES = 1024

/**
 * Shows a PDF in a tab of its own, by the viewer of the browser: a program in its own box, without a way to this page.
 * Only bytes that are a PDF are given to it, and under no other type, so no browser can take them for a page of ours.
 * @throws UserFacingError when it is no PDF, or the browser opens no tab.
 */
export async function openPdf(
  mailboxId: string,
  messageId: string,
  { n }: Attachment,
): Promise<void> {
  const blob = await readAttachment(mailboxId, messageId, n)
  const start = await blob.slice(0, HEADER_WITHIN_BYTES).text()
  if (!start.includes('%PDF-')) throw new UserFacingError('It is named a PDF, but it is not one.')
  const url = URL.createObjectURL(new Blob([blob], { type: 'application/pdf' }))
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS)
  const tab = window.open(url, '_blank')
  if (!tab)
    throw new UserFacingError('The browser blocked the new tab. Please download it instead.')
  tab.opener = null
}
