/** Above a message of a mailing list: how to leave the list, what came of it, and what to do with its other messages. */
import { useQueryClient } from '@tanstack/react-query'
import { MailX } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { getUnsubscribe, type UnsubscribeOffer, unsubscribe } from '#contract/mail/unsubscribe.ts'
import type { Message } from '#contract/messages.ts'
import { keyOf, useApi, useCall } from '#web/lib/api/use-api.ts'
import { formatMoment } from '#web/lib/format.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/form/button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'

type UnsubscribeNoteProps = {
  mailboxId: string
  message: Message
}

/** Nothing for Junk and for one's own letters: an answer tells a spammer that the address is read. */
export function UnsubscribeNote({ mailboxId, message }: UnsubscribeNoteProps) {
  const params = { id: mailboxId, messageId: message._id }
  const isFromList = message.headers.some(({ name }) => name.toLowerCase() === 'list-unsubscribe')
  const isOffered = isFromList && !['junk', 'sent', 'drafts'].includes(message.folder)
  const offer = useApi(getUnsubscribe, { params }, { enabled: isOffered, staleTime: 60_000 })
  if (!isOffered || !offer.data?.way) return null
  const { address = '', name = '' } = message.from ?? {}
  return (
    <section
      aria-label="Mailing list"
      className="mx-5 mb-4 flex flex-wrap items-center gap-x-2.5 gap-y-2 rounded-xl bg-hover px-3.5 py-2 text-soft text-sm sm:mx-6"
    >
      <MailX className="size-4 shrink-0" aria-hidden />
      <OfferedWay offer={offer.data} params={params} list={name || address} />
      {offer.data.unsubscribedAt && address && (
        <Button asChild variant="quiet" size="small">
          <Link to={paths.viewMail({ mailbox: mailboxId, q: `from:${address}` })}>
            Show all from this sender
          </Link>
        </Button>
      )}
    </section>
  )
}

type OfferedWayProps = {
  offer: UnsubscribeOffer
  params: { id: string; messageId: string }
  /** Who sent the message. */
  list: string
}

function OfferedWay({ offer, params, list }: OfferedWayProps) {
  const client = useQueryClient()
  const [isAsking, setIsAsking] = useState(false)
  const leave = useCall(unsubscribe, {
    onSuccess: (answer) => client.setQueryData(keyOf(getUnsubscribe, { params }), answer),
  })
  const press = () => {
    if (offer.way === 'one-click') leave.mutate({ params })
    else setIsAsking(true)
  }
  const confirm = () => {
    if (offer.way === 'mail') leave.mutate({ params })
    else open(offer.target, '_blank', 'noopener,noreferrer')
    setIsAsking(false)
  }
  return (
    <>
      <p role="status" className="wrap-anywhere min-w-48 flex-1">
        {leave.error ? leave.error.message : sentenceOf(offer)}
      </p>
      <Button variant="secondary" size="small" isPending={leave.isPending} onClick={press}>
        {offer.unsubscribedAt ? 'Unsubscribe again' : 'Unsubscribe'}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        {...questionOf(offer, list)}
        onConfirm={confirm}
        isDangerous={false}
      />
    </>
  )
}

const questionOf = ({ way, target, letter }: UnsubscribeOffer, list: string) =>
  way === 'page'
    ? {
        title: 'Open the page of this list?',
        description: `${new URL(target).host} opens in a new tab, where you can unsubscribe. The list learns that you read its mail.`,
        confirmText: 'Open the page',
      }
    : {
        title: `Unsubscribe from ${list}?`,
        description: `We send a message to ${target}. It says: “${[letter?.subject, letter?.text].filter(Boolean).join(' ')}”`,
        confirmText: 'Unsubscribe',
      }

const sentenceOf = ({ way, target, unsubscribedAt }: UnsubscribeOffer): string => {
  if (unsubscribedAt) return `You unsubscribed on ${formatMoment(unsubscribedAt)}.`
  if (way === 'one-click') return `This comes from a mailing list. ${target} takes you off it.`
  if (way === 'mail')
    return `This comes from a mailing list. A message to ${target} takes you off it.`
  return 'This comes from a mailing list. Its own page takes you off it.'
}
