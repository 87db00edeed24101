import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { DnsRecord } from '#contract/domains.ts'
import { cn } from '#web/ui/cn.ts'
import { useClock } from '../use-clock.ts'
import {
  isSpreading,
  type Mark,
  publishedWords,
  visibleWords,
  type Watched,
  waitWords,
  watchOf,
} from './watch.ts'

/** 'Published?' at each name server of the zone, 'Visible?' through each resolver: in a line, and one by one where they differ. */
export function ServerWatch({ record }: { record: DnsRecord }) {
  const now = useClock(1000)
  const [chosen, choose] = useState<boolean | null>(null)
  const watch = watchOf(record, now)
  if (watch === null) return null
  const isOpen = chosen ?? isSpreading(watch)
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
          <Answer question="Published?" servers={watch.published} words={publishedWords(watch)} />{' '}
          <Answer question="Visible?" servers={watch.visible} words={visibleWords(watch)} />
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
        {servers.map(({ server, mark, said, waitSeconds }) => (
          <li key={server} className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2">
            <span aria-hidden className="flex h-4 items-center">
              <Dot mark={mark} />
            </span>
            <span className="wrap-anywhere">
              <span className="font-mono">{server}</span>
              <span className={cn('block text-soft', mark === 'wrong' && 'line-clamp-2')}>
                {mark === 'wrong' && 'Something else: '}
                {said}
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
