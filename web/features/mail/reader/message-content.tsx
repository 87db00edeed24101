/** Everything below the head of one message: notes, body, attachments. */

import { ChevronDown, Download, ShieldAlert } from 'lucide-react'
import { useId, useState } from 'react'
import { listAddresses } from '#contract/mail/aliases.ts'
import type { Junk, Message } from '#contract/messages.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { toast } from '#web/lib/toast-store.ts'
import { type Attachment, downloadAll, inlinePictures } from '#web/mail-content/attachment-files.ts'
import { AttachmentTile, previewOf } from '#web/mail-content/attachment-tile.tsx'
import { PicturePreview } from '#web/mail-content/picture-preview.tsx'
import { cn } from '#web/ui/cn.ts'
import { Disclosure } from '#web/ui/data/disclosure.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { BounceNote, isReportPart, undelivered } from './bounce-note.tsx'
import { deceptionsIn } from './deceptions.ts'
import { InvitationCard, useInvitation } from './invitation-card.tsx'
import { JourneyPanel } from './journey-panel.tsx'
import { LoadingBody, MessageBody, useInlineImages } from './message-body.tsx'
import { UnsubscribeNote } from './unsubscribe-note.tsx'
import { usePictures } from './use-pictures.ts'

export type MessageContentProps = {
  mailboxId: string
  message: Message
  onNotJunk: () => void
  /** Called when a mailto: link was clicked. */
  onWrite: (mailto: string) => void
}

export function MessageContent(props: MessageContentProps) {
  const { mailboxId, message, onNotJunk, onWrite } = props
  const ownAddress = useOwnAddress(mailboxId)
  const images = useInlineImages(mailboxId, message)
  const pictures = usePictures(mailboxId, message)
  const { invitation, isAwaited } = useInvitation(mailboxId, message)
  return (
    <>
      {message.folder === 'junk' && <JunkNote junk={message.junk} onNotJunk={onNotJunk} />}
      <DeceptionNote message={message} ownAddress={ownAddress} />
      <UnsubscribeNote mailboxId={mailboxId} message={message} />
      <JourneyPanel mailboxId={mailboxId} message={message} />
      {isAwaited ? (
        <LoadingBody />
      ) : (
        <>
          {invitation && <InvitationCard {...{ mailboxId, messageId: message._id, invitation }} />}
          <MessageBody message={message} images={images} pictures={pictures} onWrite={onWrite} />
          <BounceNote message={message} />
          <AttachmentList
            mailboxId={mailboxId}
            message={message}
            hidden={invitation?.copies ?? []}
          />
        </>
      )}
    </>
  )
}

/** The address of the mailbox; '' while it is loading. */
function useOwnAddress(id: string): string {
  const addresses = useApi(listAddresses, { params: { id } }, { staleTime: 60_000 })
  return addresses.data?.[0] ?? ''
}

/** Above a message whose head may deceive. Junk has a note of its own. */
function DeceptionNote({ message, ownAddress }: { message: Message; ownAddress: string }) {
  const sentences = deceptionsIn(message, ownAddress)
  if (message.folder === 'junk' || sentences.length === 0) return null
  return (
    <section
      aria-label="Be careful"
      className="mx-5 mb-4 flex gap-2.5 rounded-xl bg-warn-wash px-3.5 py-2.5 text-sm text-warn sm:mx-6"
    >
      <ShieldAlert className="size-4 shrink-0 translate-y-0.5" aria-hidden />
      <div className="wrap-anywhere grid gap-1">
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
    </section>
  )
}

type JunkNoteProps = {
  /** null: a user moved it to Junk. */
  junk: Junk | null
  onNotJunk: () => void
}

/** Above a message in Junk: why it is there, each reason with its points, and a button to move it out. */
export function JunkNote({ junk, onNotJunk }: JunkNoteProps) {
  const [isOpen, setIsOpen] = useState(false)
  const reasonsId = useId()
  const reasons = junk?.isJunk ? junk.reasons : []
  return (
    <section
      aria-label="Junk"
      className="mx-5 mb-4 grid gap-2 rounded-xl bg-hover px-3.5 py-2.5 text-soft text-sm sm:mx-6"
    >
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-2">
        <ShieldAlert className="size-4 shrink-0" aria-hidden />
        <p className="wrap-anywhere min-w-48 flex-1">{junkSentence(junk)}</p>
        <div className="flex items-center gap-1">
          {reasons.length > 0 && (
            <button
              type="button"
              aria-expanded={isOpen}
              aria-controls={reasonsId}
              onClick={() => setIsOpen(!isOpen)}
              className="flex min-h-6 items-center gap-1 rounded px-1.5 text-xs hover:text-ink"
            >
              Why
              <ChevronDown
                className={cn('size-3.5 transition-transform', isOpen && 'rotate-180')}
                aria-hidden
              />
            </button>
          )}
          <Button variant="secondary" size="small" onClick={onNotJunk}>
            Not junk
          </Button>
        </div>
      </div>
      <div id={reasonsId} hidden={!isOpen}>
        {isOpen && junk && <Reasons junk={junk} />}
      </div>
    </section>
  )
}

/** Says in one sentence why a message is in Junk. */
export function junkSentence(junk: Junk | null): string {
  const [first, ...others] = junk?.isJunk ? junk.reasons.filter(({ points }) => points > 0) : []
  if (!first) return 'In Junk because it was put there by hand.'
  const reason = first.text.replace(/^(?:Its?|An?|The)(?= )/, (word) => word.toLowerCase())
  const more = ['', ', and for one more reason'][others.length]
  return `In Junk because ${reason}${more ?? `, and for ${others.length} more reasons`}.`
}

/** Formats points: '+1.5', '−2'. */
export const pointsText = (points: number): string =>
  points < 0 ? `−${-points}` : points > 0 ? `+${points}` : '0'

function Reasons({ junk }: { junk: Junk }) {
  return (
    <table className="w-full text-xs">
      <caption className="sr-only">Reasons and their points</caption>
      <tbody>
        {junk.reasons.map(({ text, points }) => (
          <tr key={text}>
            <th scope="row" className="wrap-anywhere py-1 pr-4 text-left font-normal">
              {text}
            </th>
            <td className="py-1 text-right align-top tabular-nums">{pointsText(points)}</td>
          </tr>
        ))}
        <tr className="border-line border-t font-medium">
          <th scope="row" className="pt-1.5 pr-4 text-left font-medium">
            In total; 5 or more is junk
          </th>
          <td className="pt-1.5 text-right tabular-nums">{pointsText(junk.score)}</td>
        </tr>
      </tbody>
    </table>
  )
}

type AttachmentListProps = {
  mailboxId: string
  message: Message
  /** Positions of files that are there twice. */
  hidden?: readonly number[]
}

/** Each is one request, which reads the whole message. */
const MOST_THUMBNAILS = 12

/** Lists the attachments that the body does not show inline. */
export function AttachmentList({ mailboxId, message, hidden = [] }: AttachmentListProps) {
  const [previewed, setPreviewed] = useState<Attachment | null>(null)
  const inlineImages = new Set(inlinePictures(message))
  const files = message.attachments.filter(
    (attachment) => !inlineImages.has(attachment) && !hidden.includes(attachment.n),
  )
  if (files.length === 0) return null
  const place = { mailboxId, messageId: message._id }
  const pictures = files.filter((file) => previewOf(file) === 'picture')
  const tiles = (
    <ul className="flex flex-wrap gap-2">
      {files.map((attachment) => (
        <li key={attachment.n} className="max-w-full">
          <AttachmentTile
            {...place}
            attachment={attachment}
            onPreview={setPreviewed}
            hasThumbnail={pictures.indexOf(attachment) < MOST_THUMBNAILS}
          />
        </li>
      ))}
    </ul>
  )
  return (
    <section aria-label="Attachments" className="grid gap-2.5 px-5 py-5 sm:px-6">
      {undelivered(message) !== null && files.every(isReportPart) ? (
        <Disclosure label="Technical report">{tiles}</Disclosure>
      ) : (
        <>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h3 className="font-medium text-soft text-xs">
              {files.length === 1 ? '1 attachment' : `${files.length} attachments`}
            </h3>
            {files.length > 1 && <DownloadAll mailboxId={mailboxId} message={message} />}
          </div>
          {tiles}
        </>
      )}
      {previewed && (
        <PicturePreview
          {...place}
          attachment={previewed}
          pictures={pictures}
          onShow={setPreviewed}
          onClose={() => setPreviewed(null)}
        />
      )}
    </section>
  )
}

function DownloadAll({ mailboxId, message }: Pick<AttachmentListProps, 'mailboxId' | 'message'>) {
  const [isPending, setIsPending] = useState(false)
  const download = () => {
    setIsPending(true)
    downloadAll(mailboxId, message)
      .catch((error: unknown) => {
        const title = 'The attachments could not be downloaded'
        toast({ title, description: messageOf(error), variant: 'error' })
      })
      .finally(() => setIsPending(false))
  }
  return (
    <Button variant="quiet" size="small" isPending={isPending} onClick={download}>
      <Download aria-hidden />
      Download all
    </Button>
  )
}
