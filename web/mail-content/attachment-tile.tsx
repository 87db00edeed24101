/** One attachment: a preview for pictures and PDF, and a download. */
import { Download, FileText, Image, Paperclip } from 'lucide-react'
import { useState } from 'react'
import { MAX_MESSAGE_BYTES } from '#contract/fields.ts'
import { messageOf, UserFacingError } from '#web/lib/api/api-error.ts'
import { formatBytes } from '#web/lib/format.ts'
import { toast } from '#web/lib/toast-store.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Spinner } from '#web/ui/state/loading.tsx'
import { type Attachment, downloadAttachment, readAttachment } from './attachment-files.ts'
import { FileName } from './file-name.tsx'
import { useThumbnail } from './use-thumbnail.ts'

const iconOf = (contentType: string) => {
  if (contentType.startsWith('image/')) return Image
  return /pdf|text|word|document/.test(contentType) ? FileText : Paperclip
}

type AttachmentTileProps = {
  mailboxId: string
  messageId: string
  attachment: Attachment
  onPreview: (attachment: Attachment) => void
  /** true: a small picture is shown in place of its icon. */
  hasThumbnail: boolean
}

export function AttachmentTile(props: AttachmentTileProps) {
  const { mailboxId, messageId, attachment, onPreview } = props
  const [pending, setPending] = useState<'download' | 'preview' | null>(null)
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
  const isPictured = props.hasThumbnail && kind === 'picture'
  const thumbnail = useThumbnail(mailboxId, messageId, attachment, isPictured)
  const content = (
    <FileLabel
      attachment={attachment}
      thumbnail={thumbnail}
      verb={kind ? 'Show' : 'Attached:'}
      isPending={pending === 'preview'}
    />
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
          {content}
        </button>
      ) : (
        <span className="flex min-w-0 items-center gap-3 py-2 pr-2 pl-3">{content}</span>
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

type FileLabelProps = {
  attachment: Attachment
  /** Object URL of the picture, or null. */
  thumbnail: string | null
  verb: string
  isPending: boolean
}

function FileLabel({ attachment, thumbnail, verb, isPending }: FileLabelProps) {
  const Icon = iconOf(attachment.contentType)
  return (
    <>
      <span className="grid size-8 shrink-0 place-items-center overflow-hidden rounded-lg bg-accent-wash text-accent-ink">
        {isPending ? (
          <Spinner />
        ) : thumbnail ? (
          <img src={thumbnail} alt="" className="size-full object-cover" />
        ) : (
          <Icon className="size-4" aria-hidden />
        )}
      </span>
      <span className="sr-only">{verb}</span>
      <span className="grid min-w-0">
        <FileName name={attachment.filename} className="max-w-56 text-sm sm:max-w-96" />
        <span className="text-soft text-xs">{formatBytes(attachment.size)}</span>
      </span>
    </>
  )
}

/** Which preview the file gets, by its type and name. Its bytes are checked after loading. null: none. */
export function previewOf({ contentType, filename, size }: Attachment): 'picture' | 'pdf' | null {
  if (size > MAX_MESSAGE_BYTES) return null
  const isUntyped = contentType.toLowerCase() === 'application/octet-stream'
  const name = isUntyped ? filename : ''
  if (/^image\/(?:png|p?jpe?g|gif|webp|avif)$/i.test(contentType)) return 'picture'
  if (/\.(?:png|jpe?g|gif|webp|avif)$/i.test(name)) return 'picture'
  return /^application\/(?:x-)?pdf$/i.test(contentType) || /\.pdf$/i.test(name) ? 'pdf' : null
}

/** By then the PDF viewer has read the file. */
const REVOKE_AFTER_MS = 120_000
/** The PDF header may follow some other bytes. */
const HEADER_WITHIN_BYTES = 1024

/**
 * Opens a PDF in a new tab, in the browser's viewer, which is sandboxed and cannot reach this page.
 * Passes on only bytes with a PDF header, and always as application/pdf, so that no browser takes them for a page of ours.
 * @throws UserFacingError when the file is no PDF, or the browser blocks the tab.
 */
export async function openPdf(
  mailboxId: string,
  messageId: string,
  { n }: Attachment,
): Promise<void> {
  const blob = await readAttachment(mailboxId, messageId, n)
  const start = await blob.slice(0, HEADER_WITHIN_BYTES).text()
  if (!start.includes('%PDF-')) throw new UserFacingError('The content of this file is not a PDF.')
  const url = URL.createObjectURL(new Blob([blob], { type: 'application/pdf' }))
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS)
  const tab = window.open(url, '_blank')
  if (!tab)
    throw new UserFacingError('The browser blocked the new tab. Please download it instead.')
  tab.opener = null
}
