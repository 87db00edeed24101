import { ChevronDown, ShieldCheck, ShieldX } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import type { Message, MessageSummary, Person } from '#contract/messages.ts'
import { formatMoment } from '#web/lib/format.ts'
import { cn } from '#web/ui/cn.ts'
import { Avatar } from '#web/ui/data/avatar.tsx'
import { Badge } from '#web/ui/data/badge.tsx'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import { Tooltip } from '#web/ui/overlay/tooltip.tsx'
import { authenticationWords } from './authentication-words.ts'

const shortName = ({ name, address }: Person): string => name || address
const fullName = ({ name, address }: Person): string => (name ? `${name} <${address}>` : address)

type MessageHeadProps = {
  summary: MessageSummary
  /** undefined while it is loading. */
  message: Message | undefined
  /** Folds the message, in a conversation. */
  onFold?: () => void
  /** Shown beside the date. */
  aside?: ReactNode
  hasLineAbove?: boolean
}

/** From this length on three lines of a phone may not hold it. */
const LONG_SUBJECT = 90

/** Heading above a message or a conversation. A very long subject shows three lines until the reader wants more. */
export function Subject({ subject }: { subject: string }) {
  const [isWhole, setIsWhole] = useState(false)
  const isLong = subject.length > LONG_SUBJECT
  return (
    <div className="px-5 pt-5 pb-4 sm:px-6">
      <h2
        dir="auto"
        className={cn(
          'break-words text-left font-semibold text-xl leading-7 tracking-tight',
          isLong && !isWhole && 'line-clamp-3',
        )}
      >
        {subject || '(no subject)'}
      </h2>
      {isLong && (
        <button
          type="button"
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
          className="min-h-6 rounded text-soft text-xs hover:text-ink"
        >
          {isWhole ? 'Less' : 'More'}
          <span className="sr-only"> of the subject</span>
        </button>
      )}
    </div>
  )
}

export function MessageHead(props: MessageHeadProps) {
  const { summary, message, onFold, aside, hasLineAbove = onFold !== undefined } = props
  const [areDetailsOpen, setAreDetailsOpen] = useState(false)
  const detailsId = useId()
  const from = summary.from ?? { name: '', address: '(no sender)' }
  const others = [...summary.to, ...(message?.cc ?? []), ...(message?.bcc ?? [])]
  return (
    <header
      className={cn(
        '@container/head grid grid-cols-1 gap-4 px-5 pb-4 sm:px-6',
        hasLineAbove && 'pt-4',
      )}
    >
      <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
        <SenderAvatar name={shortName(from)} onFold={onFold} />
        <div className="grid min-w-48 flex-1 grid-cols-1">
          <div className="flex flex-wrap items-baseline gap-x-2">
            <bdi className="break-words font-medium">{shortName(from)}</bdi>
            {from.name && <span className="wrap-anywhere text-soft text-xs">{from.address}</span>}
            <Authentication message={message} from={from.address} />
          </div>
          <button
            type="button"
            aria-expanded={areDetailsOpen}
            aria-controls={detailsId}
            onClick={() => setAreDetailsOpen(!areDetailsOpen)}
            className="flex min-h-6 max-w-full items-center gap-1 justify-self-start rounded text-left text-soft text-xs hover:text-ink"
          >
            <span className="truncate">
              to {others.length === 0 ? '(no recipient)' : others.map(shortName).join(', ')}
            </span>
            <ChevronDown
              className={cn(
                'size-3.5 shrink-0 transition-transform',
                areDetailsOpen && 'rotate-180',
              )}
              aria-hidden
            />
          </button>
        </div>
        {/* Without room beside the names it goes below them, not below the avatar. */}
        <div className="flex items-start justify-between gap-x-3 @max-[28rem]/head:basis-full @max-[28rem]/head:items-center @max-[28rem]/head:pl-12">
          <LocalTime
            at={summary.date}
            format={formatMoment}
            className="shrink-0 pt-0.5 text-soft text-xs tabular-nums"
          />
          {aside}
        </div>
      </div>
      <div id={detailsId} hidden={!areDetailsOpen}>
        {areDetailsOpen && <Details summary={summary} message={message} from={from} />}
      </div>
    </header>
  )
}

type SenderAvatarProps = { name: string; onFold: MessageHeadProps['onFold'] }

/** The sender's avatar; with `onFold` it is the button that folds the message. */
function SenderAvatar({ name, onFold }: SenderAvatarProps) {
  if (!onFold) return <Avatar name={name} className="mt-0.5 size-9" />
  return (
    <button
      type="button"
      aria-expanded
      aria-label={`Fold the message from ${name}`}
      onClick={onFold}
      className="mt-0.5 rounded-full"
    >
      <Avatar name={name} className="size-9" />
    </button>
  )
}

type DetailsProps = Pick<MessageHeadProps, 'summary' | 'message'> & { from: Person }

function Details({ summary, message, from }: DetailsProps) {
  const words = message?.authentication && authenticationWords(message.authentication, from.address)
  const rows: [string, string][] = [
    ['From', fullName(from)],
    ['To', summary.to.map(fullName).join(', ')],
    ['Cc', message?.cc.map(fullName).join(', ') ?? ''],
    ['Bcc', message?.bcc.map(fullName).join(', ') ?? ''],
    ['Reply to', message?.replyTo.map(fullName).join(', ') ?? ''],
    ['Date', formatMoment(summary.date)],
    ['Sender', words ? `${words.title}. ${words.details}` : ''],
    ['Checks', message?.authentication ? checksOf(message.authentication) : ''],
  ]
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 rounded-xl bg-sunken px-4 py-3 text-xs">
      {rows
        .filter(([, value]) => value !== '')
        .map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-soft">{name}</dt>
            <dd className="break-words">{value}</dd>
          </div>
        ))}
    </dl>
  )
}

const checksOf = (checks: NonNullable<Message['authentication']>): string =>
  `SPF ${checks.spf}, DKIM ${checks.dkim}, DMARC ${checks.dmarc}`

function Authentication({ message, from }: { message: Message | undefined; from: string }) {
  if (!message?.authentication) return null
  const { tone, title, details } = authenticationWords(message.authentication, from)
  // Only what is proven or refuted stands in the head; the rest is in the details.
  if (tone !== 'good' && tone !== 'bad') return null
  const Icon = tone === 'good' ? ShieldCheck : ShieldX
  return (
    <Tooltip text={details}>
      <button
        type="button"
        className="grid min-h-6 place-items-center rounded-full"
        aria-label={`${title}. ${details}`}
      >
        <Badge tone={tone} className="px-1.5">
          <Icon className="size-3.5" aria-hidden />
          {title}
        </Badge>
      </button>
    </Tooltip>
  )
}
