import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { type DnsRecord, isWrong, type Sighting } from '#contract/domains.ts'
import { cn } from '#web/ui/cn.ts'
import { useClock } from './check-note.tsx'

/** What each name server of the zone has, and what others see through each resolver: as a line, and as a list when they differ. */
export function ServerWatch({ record }: { record: DnsRecord }) {
  const now = useClock(1000)
  const [chosen, choose] = useState<boolean | null>(null)
  const watch = watchOf(record, now)
  if (watch === null) return null
  const isOpen = chosen ?? isPropagating(watch)
  return (
    <div className="mt-1 grid grid-cols-1 gap-1 text-xs">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => choose(!isOpen)}
        className="-ml-1 flex items-start gap-0.5 justify-self-start rounded-md py-1 pr-1.5 pl-0.5 text-left text-soft hover:bg-hover hover:text-ink"
      >
        <ChevronRight
          aria-hidden
          className={cn('mt-px size-3.5 shrink-0 transition-transform', isOpen && 'rotate-90')}
        />
        <span className="grid gap-y-0.5">
          <Answer
            question="At its name servers:"
            servers={watch.published}
            words={publishedWords(watch)}
          />{' '}
          <Answer question="Seen by others:" servers={watch.visible} words={visibleWords(watch)} />
        </span>
      </button>
      {isOpen && (
        <div className="grid grid-cols-1 gap-x-8 gap-y-2 pl-4.5">
          <Servers title="Name servers" servers={watch.published} />
          <Servers title="Resolvers" servers={watch.visible} />
        </div>
      )}
    </div>
  )
}

/** right: the expected record. wrong: another record. missing: none. silent: no answer. */
export type Mark = 'right' | 'wrong' | 'missing' | 'silent'
export type Watched = {
  server: string
  mark: Mark
  /** What the server answered, or why it did not answer. */
  answer: string
  /**
   * Seconds for which a resolver may still cache a wrong answer; 0: it may have expired; null: name servers and right answers.
   */
  waitSeconds: number | null
}
/** What the servers answered about a record. Pure. */
export type Watch = { published: Watched[]; visible: Watched[] }

/** Returns null before the first check. `now`: milliseconds, null where no time is counted. */
export function watchOf(record: DnsRecord, now: number | null): Watch | null {
  const { sightings, checkedAt } = record
  if (sightings === null) return null
  const elapsed =
    now === null || checkedAt === null ? null : (now - new Date(checkedAt).getTime()) / 1000
  return {
    published: sightings.published.map((sighting) => ({
      ...watchedFrom(sighting),
      waitSeconds: null,
    })),
    visible: sightings.visible.map((sighting) => {
      const { mark, ...rest } = watchedFrom(sighting)
      const isOld = mark === 'wrong' || mark === 'missing'
      const remaining = elapsed === null ? null : Math.ceil(sighting.ttlSeconds - elapsed)
      // Limits the wait to the TTL, because the clock of this computer may be wrong.
      const wait = remaining === null ? null : Math.max(0, Math.min(remaining, sighting.ttlSeconds))
      return { ...rest, mark, waitSeconds: isOld ? wait : null }
    }),
  }
}

const watchedFrom = ({ server, state, values, reason }: Sighting) => {
  const mark = markOf(state, values)
  return { server, mark, answer: { ...answers, wrong: values.join(', '), silent: reason }[mark] }
}

/** For wrong answers the values are quoted. Other TXT records beside an SPF record have nothing to do with us. */
const answers = { right: 'The right record', missing: 'Nothing' }

const markOf = (state: Sighting['state'], values: readonly string[]): Mark => {
  if (state === 'verified') return 'right'
  if (state === 'unknown') return 'silent'
  return state === 'waiting' || values.length === 0 ? 'missing' : 'wrong'
}

/** A resolver has another answer in its cache, which may expire at any moment. */
export const isCachedOtherwise = ({ sightings }: DnsRecord): boolean =>
  sightings?.visible.some(isWrong) ?? false

/** Some servers have the record and others do not: the list opens by itself. */
export const isPropagating = ({ published, visible }: Watch): boolean => {
  const answered = [...published, ...visible].filter(({ mark }) => mark !== 'silent')
  return answered.some(isRight) && !answered.every(isRight)
}

const isRight = ({ mark }: Watched): boolean => mark === 'right'

export function publishedWords({ published }: Watch): string {
  if (published.length === 0) return 'No name server'
  return wordsOf(published) ?? 'Not yet'
}

export function visibleWords(watch: Watch): string {
  const { published, visible } = watch
  if (visible.length === 0) return 'No resolver'
  const words = wordsOf(visible)
  // Before it is published there is nothing to wait for.
  const isPublished = published.length > 0 && published.every(isRight)
  const wait = isPublished ? longestWait(visible) : null
  if (wait === null) return words ?? 'Not yet'
  const when = wait === 0 ? 'any moment' : `within ${waitWords(wait)}`
  return words === null ? capital(when) : `${words}, the rest ${when}`
}

const wordsOf = (servers: readonly Watched[]): string | null => {
  const right = servers.filter(isRight).length
  if (right === servers.length) return 'Yes'
  if (servers.every(({ mark }) => mark === 'silent')) return 'No answer'
  return right === 0 ? null : `On ${right} of ${servers.length}`
}

const longestWait = (visible: readonly Watched[]): number | null => {
  const waits = visible.flatMap(({ waitSeconds }) => waitSeconds ?? [])
  return waits.length === 0 ? null : Math.max(...waits)
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Formats a countdown: '41 s', '3 min 20 s', '2 h 5 min'. */
export function waitWords(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)]
  const parts =
    hours > 0
      ? [`${hours} h`, minutes > 0 ? `${minutes} min` : '']
      : [minutes > 0 ? `${minutes} min` : '', seconds % 60 > 0 ? `${seconds % 60} s` : '']
  return parts.filter((part) => part !== '').join(' ')
}

type AnswerProps = { question: string; servers: readonly Watched[]; words: string }

function Answer({ question, servers, words }: AnswerProps) {
  return (
    <span className="flex flex-wrap items-center gap-x-1.5">
      <span className="font-medium">{question}</span>{' '}
      <span aria-hidden className="flex gap-1">
        {servers.map(({ server, mark }) => (
          <Dot key={server} mark={mark} />
        ))}
      </span>
      <span className="tabular-nums">{words}</span>
    </span>
  )
}

const dots: Record<Mark, string> = {
  right: 'bg-good',
  wrong: 'bg-warn',
  missing: 'border border-control',
  silent: 'border border-control border-dashed',
}

const Dot = ({ mark }: { mark: Mark }) => (
  <span className={cn('inline-block size-2 shrink-0 rounded-full', dots[mark])} />
)

function Servers({ title, servers }: { title: string; servers: readonly Watched[] }) {
  return (
    <div className="grid min-w-0 grid-cols-1 content-start gap-1">
      <p className="font-medium text-soft">{title}</p>
      {servers.length === 0 && <p className="text-soft">None</p>}
      <ul className="grid grid-cols-1 gap-1">
        {servers.map(({ server, mark, answer, waitSeconds }) => (
          <li key={server} className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2">
            <span aria-hidden className="flex h-4 items-center">
              <Dot mark={mark} />
            </span>
            <span className="wrap-anywhere">
              <span className="font-mono">{server}</span>
              <span className={cn('block text-soft', mark === 'wrong' && 'line-clamp-2')}>
                {mark === 'wrong' && 'Something else: '}
                {answer}
              </span>
              {waitSeconds !== null && (
                <span className="block text-soft tabular-nums">
                  {waitSeconds === 0
                    ? 'May look again at any moment'
                    : `Keeps this answer for up to ${waitWords(waitSeconds)}`}
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
