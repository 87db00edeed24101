/** The invitation to an event that a message carries: what, when and where, and Yes, No or Maybe to the organiser. */
import { useQueryClient } from '@tanstack/react-query'
import { CalendarDays } from 'lucide-react'
import { useState } from 'react'
import {
  answerInvitation,
  type EventAnswer,
  type EventInvitation,
  getInvitationOf,
} from '#contract/mail/event-invitation.ts'
import type { Message } from '#contract/messages.ts'
import { keyOf, useApi, useCall } from '#web/lib/api/use-api.ts'
import { dateFormats, useFormatted } from '#web/lib/format.ts'
import { cn } from '#web/ui/cn.ts'
import { Button } from '#web/ui/form/button.tsx'
import { useInBrowser } from '#web/ui/use-in-browser.ts'
import { whenOf } from './event-time.ts'

/** Not in Junk, where an answer tells a spammer that the address is read, and not in what one sent. */
export const mayInvite = ({ attachments, folder }: Pick<Message, 'attachments' | 'folder'>) =>
  !['junk', 'sent', 'drafts'].includes(folder) &&
  attachments.some(({ contentType }) => /^(?:text\/calendar|application\/ics)$/i.test(contentType))

type FoundInvitation = {
  /** null: the message has none. */
  invitation: EventInvitation | null
  /** true: the text below would be pushed down by a card that is on its way. */
  isAwaited: boolean
}

export function useInvitation(mailboxId: string, message: Message): FoundInvitation {
  const enabled = mayInvite(message)
  const params = { id: mailboxId, messageId: message._id }
  const query = useApi(getInvitationOf, { params }, { enabled, staleTime: 60_000 })
  // The server does not know the reader's zone: how high the card is shows in the browser.
  const isInBrowser = useInBrowser(() => true, false)
  // Nobody waits for a second attempt, nor for the line to come back.
  const isFirstTry = query.isLoading && query.failureCount === 0
  return {
    invitation: query.data?.invitation ?? null,
    isAwaited: enabled && (isFirstTry || !isInBrowser),
  }
}

type InvitationCardProps = { mailboxId: string; messageId: string; invitation: EventInvitation }

export function InvitationCard({ mailboxId, messageId, invitation }: InvitationCardProps) {
  const { title, place, recurrence, description, organizer, isCancelled } = invitation
  const when = useFormatted(() => whenOf(invitation, dateFormats()))
  const [main = '', elsewhere] = when.split('\n')
  return (
    <section
      aria-label="Invitation"
      className="mx-5 mb-4 grid gap-3 rounded-xl border border-line px-4 py-3.5 text-sm sm:mx-6"
    >
      <div className="flex gap-3">
        <CalendarDays className="mt-0.5 size-5 shrink-0 text-accent-ink" aria-hidden />
        <div className="grid min-w-0 gap-0.5">
          <p className="text-soft text-xs">{kindOf(invitation)}</p>
          <h3
            dir="auto"
            className={cn('wrap-anywhere font-semibold', isCancelled && 'line-through')}
          >
            {title || '(no title)'}
          </h3>
        </div>
      </div>
      <dl className="grid grid-cols-[5rem_minmax(0,1fr)] gap-x-3 gap-y-1.5">
        <Fact name="When">
          {main}
          {elsewhere && <span className="block text-soft text-xs">{elsewhere}</span>}
          {recurrence && <span className="block">{recurrence}</span>}
        </Fact>
        {place && <Fact name="Where">{place}</Fact>}
        {organizer && <Fact name="Organiser">{nameOf(organizer)}</Fact>}
        <Guests invitation={invitation} />
        {description && (
          <Fact name="About">
            <span className="line-clamp-4 whitespace-pre-line">{description}</span>
          </Fact>
        )}
      </dl>
      {organizer && !isCancelled && (
        <Answers key={messageId} {...{ mailboxId, messageId, invitation }} />
      )}
    </section>
  )
}

const nameOf = ({ name, address }: { name: string; address: string }): string =>
  name ? `${name} <${address}>` : address

const kindOf = ({ isCancelled, isUpdate }: EventInvitation): string => {
  if (isCancelled) return 'This event was cancelled'
  return isUpdate ? 'This invitation was changed' : 'Invitation'
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd dir="auto" className="wrap-anywhere text-left">
        {children}
      </dd>
    </>
  )
}

const SHOWN_GUESTS = 5
const words = { accepted: 'yes', declined: 'no', tentative: 'maybe', none: '' }

function Guests({ invitation: { guests, guestCount } }: { invitation: EventInvitation }) {
  const [isWhole, setIsWhole] = useState(false)
  if (guests.length === 0) return null
  const shown = isWhole ? guests : guests.slice(0, SHOWN_GUESTS)
  const rest = guestCount - shown.length
  return (
    <Fact name="Guests">
      {shown.map(({ name, address, status }) => (
        <span key={address} className="block">
          <bdi>{name || address}</bdi>
          {words[status] && <span className="text-soft"> · {words[status]}</span>}
        </span>
      ))}
      {rest > 0 &&
        (isWhole ? (
          <span className="text-soft">and {rest} more</span>
        ) : (
          <Button variant="link" size="inline" onClick={() => setIsWhole(true)}>
            {rest} more
          </Button>
        ))}
    </Fact>
  )
}

const choices: readonly (readonly [EventAnswer, string])[] = [
  ['accepted', 'Yes'],
  ['declined', 'No'],
  ['tentative', 'Maybe'],
]

function Answers({ mailboxId, messageId, invitation }: InvitationCardProps) {
  const client = useQueryClient()
  const params = { id: mailboxId, messageId }
  const send = useCall(answerInvitation, {
    onSuccess: (answer) => client.setQueryData(keyOf(getInvitationOf, { params }), answer),
  })
  const { answer, organizer } = invitation
  const said = choices.find(([value]) => value === answer)?.[1]
  return (
    <div className="flex flex-wrap items-center gap-2">
      <p
        role="status"
        className="wrap-anywhere min-w-40 flex-1 text-soft text-xs max-sm:basis-full"
      >
        {send.error
          ? send.error.message
          : said
            ? `You answered ${said}.`
            : `Will you come? ${organizer?.address ?? ''} gets your answer.`}
      </p>
      {choices.map(([value, text]) => (
        <Button
          key={value}
          variant={value === answer ? 'primary' : 'secondary'}
          size="small"
          aria-pressed={value === answer}
          isPending={send.isPending && send.variables?.body.answer === value}
          disabled={send.isPending}
          onClick={() => send.mutate({ params, body: { answer: value } })}
        >
          {text}
        </Button>
      ))}
    </div>
  )
}
