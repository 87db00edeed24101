/** What stands below the head of one message: notes, its text, its files. */

import { useState } from 'react'
import type { Message } from '#contract/messages.ts'
import { type Attachment, inlinePictures } from '#web/mail-content/attachment-files.ts'
import { AttachmentTile } from '#web/mail-content/attachment-tile.tsx'
import { PicturePreview } from '#web/mail-content/picture-preview.tsx'
import { JourneyPanel } from './journey-panel.tsx'
import { JunkNote } from './junk-note.tsx'
import { MessageBody, useInlineImages } from './message-body.tsx'
import { usePictures } from './use-pictures.ts'

export type MessageContentProps = {
  mailboxId: string
  message: Message
  onNotJunk: () => void
  /** A mailto: link was followed. */
  onWrite: (mailto: string) => void
}

export function MessageContent({ mailboxId, message, onNotJunk, onWrite }: MessageContentProps) {
  const images = useInlineImages(mailboxId, message)
  const pictures = usePictures(mailboxId, message)
  return (
    <>
      {message.folder === 'junk' && <JunkNote junk={message.junk} onNotJunk={onNotJunk} />}
      <JourneyPanel mailboxId={mailboxId} message={message} />
      <MessageBody message={message} images={images} pictures={pictures} onWrite={onWrite} />
      <AttachmentList mailboxId={mailboxId} message={message} />
    </>
  )
}

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
