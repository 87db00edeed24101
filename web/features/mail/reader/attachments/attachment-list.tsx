import { useState } from 'react'
import type { Message } from '#contract/messages.ts'
import { type Attachment, inlinePictures } from '../attachment-files.ts'
import { AttachmentTile } from './attachment-tile.tsx'
import { PicturePreview } from './picture-preview.tsx'

/** Those that are not shown in the text already. */
export function AttachmentList({ mailboxId, message }: { mailboxId: string; message: Message }) {
  const [previewed, setPreviewed] = useState<Attachment | null>(null)
  const shown = new Set(inlinePictures(message))
  const files = message.attachments.filter((attachment) => !shown.has(attachment))
  if (files.length === 0) return null
  const place = { mailboxId, messageId: message._id }
  return (
    <section aria-label="Attachments" className="grid gap-2.5 px-5 py-5 sm:px-6">
      <h3 className="font-medium text-soft text-xs">
        {files.length === 1 ? '1 attachment' : `${files.length} attachments`}
      </h3>
      <ul className="flex flex-wrap gap-2">
        {files.map((attachment) => (
          <li key={attachment.n} className="max-w-full">
            <AttachmentTile {...place} attachment={attachment} onPreview={setPreviewed} />
          </li>
        ))}
      </ul>
      {previewed && (
        <PicturePreview {...place} attachment={previewed} onClose={() => setPreviewed(null)} />
      )}
    </section>
  )
}
