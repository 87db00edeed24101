import { Download, FileText, Image, Paperclip } from 'lucide-react'
import { useState } from 'react'
import type { Message } from '#contract/messages.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { formatBytes } from '#web/lib/format.ts'
import { toast } from '#web/lib/toast-store.ts'
import { Spinner } from '#web/ui/state/spinner.tsx'
import { downloadAttachment, inlinePictures } from './attachment-files.ts'

type Attachment = Message['attachments'][number]

const iconOf = (contentType: string) => {
  if (contentType.startsWith('image/')) return Image
  return /pdf|text|word|document/.test(contentType) ? FileText : Paperclip
}

/** Those that are not shown in the text already. */
export function AttachmentList({ mailboxId, message }: { mailboxId: string; message: Message }) {
  const shown = new Set(inlinePictures(message))
  const files = message.attachments.filter((attachment) => !shown.has(attachment))
  if (files.length === 0) return null
  return (
    <section aria-label="Attachments" className="grid gap-2.5 px-5 py-5 sm:px-6">
      <h3 className="font-medium text-soft text-xs">
        {files.length === 1 ? '1 attachment' : `${files.length} attachments`}
      </h3>
      <ul className="flex flex-wrap gap-2">
        {files.map((attachment) => (
          <li key={attachment.n} className="max-w-full">
            <AttachmentButton
              mailboxId={mailboxId}
              messageId={message._id}
              attachment={attachment}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

type AttachmentButtonProps = { mailboxId: string; messageId: string; attachment: Attachment }

function AttachmentButton({ mailboxId, messageId, attachment }: AttachmentButtonProps) {
  const [isPending, setIsPending] = useState(false)
  const Icon = iconOf(attachment.contentType)
  const download = async () => {
    setIsPending(true)
    await downloadAttachment(mailboxId, messageId, attachment)
      .catch((error: unknown) =>
        toast({
          title: `${attachment.filename} could not be downloaded`,
          description: messageOf(error),
          variant: 'error',
        }),
      )
      .finally(() => setIsPending(false))
  }
  return (
    <button
      type="button"
      onClick={() => void download()}
      disabled={isPending}
      title={attachment.filename}
      className="group flex max-w-full items-center gap-3 rounded-xl border border-line bg-surface py-2 pr-3.5 pl-3 text-left hover:bg-hover"
    >
      <span className="grid size-8 shrink-0 place-items-center rounded-lg bg-accent-wash text-accent-ink">
        <Icon className="size-4" aria-hidden />
      </span>
      <span className="sr-only">Download</span>
      <span className="grid min-w-0">
        <span className="max-w-56 truncate text-sm">{attachment.filename}</span>
        <span className="text-soft text-xs">{formatBytes(attachment.size)}</span>
      </span>
      {isPending ? (
        <Spinner className="text-soft" />
      ) : (
        <Download className="size-4 shrink-0 text-soft group-hover:text-ink" aria-hidden />
      )}
    </button>
  )
}
