import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import { recordTitles } from '#contract/domains.ts'
import { UNCHECKED, UncheckedNote, uncheckedOf } from '#web/dns-records/unchecked.tsx'
import { cn } from '#web/ui/cn.ts'
import { Status } from '#web/ui/data/badge.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { RecordsToPublish } from './linked-records.tsx'
import { isDone, type LinkedDomain, toDoIn } from './use-linked-domains.ts'
import { useLinkedRecords } from './use-linked-records.ts'

type LinkedDomainItemProps = {
  token: string
  domain: LinkedDomain
  isOpen: boolean
  onToggle: () => void
}

/** A domain with what is to do first; opened, its records. */
export function LinkedDomainItem({ token, domain, isOpen, onToggle }: LinkedDomainItemProps) {
  const id = useId()
  const { name, unicodeName, provider } = domain
  const unchecked = uncheckedOf(toDoIn(domain))
  return (
    <li>
      <h2>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={onToggle}
          className="flex w-full items-start gap-3 px-5 py-3.5 text-left -outline-offset-2 hover:bg-hover sm:px-6"
        >
          <ChevronDown
            className={cn('mt-0.5 size-4 shrink-0 text-soft transition', !isOpen && '-rotate-90')}
            aria-hidden
          />
          <span className="grid min-w-0 flex-1 gap-0.5">
            <span dir="auto" title={name} className="wrap-anywhere font-medium text-sm">
              {unicodeName}
            </span>
            <span className="wrap-anywhere text-pretty font-normal text-soft text-xs">
              {toDoOf(domain)}
              {unchecked && <UncheckedNote unchecked={unchecked} />}
              {provider && ` DNS at ${provider}.`}
            </span>
          </span>
          <DomainStatus domain={domain} />
        </button>
      </h2>
      {isOpen && (
        <div id={id} className="border-line border-t bg-surface">
          <OpenDomain token={token} name={name} />
        </div>
      )}
    </li>
  )
}

function DomainStatus({ domain }: { domain: LinkedDomain }) {
  const answered = answeredIn(domain)
  const isWrong = answered.some(({ state }) => state !== 'waiting' && state !== 'unknown')
  if (isDone(domain)) return <Status tone="good">Done</Status>
  if (answered.length === 0) return <Status tone="warn">{UNCHECKED}</Status>
  return isWrong ? <Status tone="bad">To correct</Status> : <Status tone="warn">To publish</Status>
}

/** What is to do by the answers of DNS; what had none says so by itself. */
const answeredIn = (domain: LinkedDomain) =>
  toDoIn(domain).filter(({ uncheckedSince }) => uncheckedSince === null)

/** What is wrong comes before what is missing. */
function toDoOf(domain: LinkedDomain): string {
  if (isDone(domain)) return 'All required records are published.'
  const toDo = answeredIn(domain)
  const wrong = toDo.filter(({ explanation }) => explanation !== '')
  const missing = toDo.filter(({ explanation }) => explanation === '')
  return [
    ...wrong.map(({ purpose, explanation }) => `${recordTitles[purpose]}: ${explanation}`),
    ...(missing.length === 0
      ? []
      : [`Publish ${missing.map(({ purpose }) => recordTitles[purpose]).join(', ')}.`]),
  ].join(' ')
}

function OpenDomain({ token, name }: { token: string; name: string }) {
  const { opened, isEnded, ...rest } = useLinkedRecords(token, name)
  if (isEnded)
    return <p className="px-6 py-5 text-sm">This link does not open {name} any longer.</p>
  if (opened.data) return <RecordsToPublish token={token} opened={opened.data} {...rest} />
  if (opened.isError)
    return (
      <div className="flex flex-wrap items-center gap-3 px-6 py-5 text-sm">
        <p role="alert">The records could not be loaded: {opened.error.message}</p>
        <Button variant="secondary" size="small" onClick={() => void opened.refetch()}>
          Try again
        </Button>
      </div>
    )
  return (
    <div role="status" aria-label="Opening the records" className="grid gap-3 px-6 py-5">
      <Skeleton className="h-5 w-40" />
      <Skeleton className="h-24 w-full" />
    </div>
  )
}
