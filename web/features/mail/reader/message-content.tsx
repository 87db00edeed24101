/** What stands below the head of one message: notes, its text, its files. */
import type { Message } from '#contract/messages.ts'
import { AttachmentList } from './attachments/attachment-list.tsx'
import { JourneyPanel } from './journey/journey-panel.tsx'
import { JunkNote } from './junk-note.tsx'
import { MessageBody, useInlineImages } from './message-body.tsx'
import { usePictures } from './pictures/use-pictures.ts'

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
