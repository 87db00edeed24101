import { Check, Minus, TriangleAlert, X } from 'lucide-react'
import { isVerifiedIn, recordStatus, recordTitles, sentencesOf } from '#contract/domains.ts'
import { UNCHECKED, UncheckedNote, uncheckedOf } from '#web/dns-records/unchecked.tsx'
import { cn } from '#web/ui/cn.ts'
import { Ago } from '#web/ui/data/local-time.tsx'
import {
  type DomainRow,
  failingOf,
  type HealthRecord,
  receivingOf,
  wrongOf,
} from './domain-rows.ts'

const marks = {
  Verified: { Icon: Check, style: 'text-good' },
  Pending: { Icon: Minus, style: 'text-soft' },
  Failed: { Icon: X, style: 'font-medium text-bad' },
  /** Not as we would have it, which is no fault of a domain without mailboxes. */
  'Not here': { Icon: Minus, style: 'text-soft' },
  [UNCHECKED]: { Icon: TriangleAlert, style: 'font-medium text-warn' },
} as const

const markOf = ({ state, isToDo, uncheckedSince }: HealthRecord): keyof typeof marks => {
  if (isToDo && uncheckedSince !== null) return UNCHECKED
  const status = recordStatus(isVerifiedIn(state))
  return status === 'Failed' && !isToDo ? 'Not here' : status
}

/** Each record that is not right by its name, with its state as a sign and a word for screen readers. */
export function RecordMarks({ records }: { records: readonly HealthRecord[] }) {
  const shown = records.filter(({ state, isToDo }) => isToDo || state !== 'verified')
  if (shown.length === 0) return null
  return (
    <ul aria-label="Records" className="flex flex-wrap gap-x-2.5 gap-y-0.5 text-xs">
      {shown.map((record) => {
        const mark = markOf(record)
        const { Icon, style } = marks[mark]
        return (
          <li
            key={record.purpose}
            title={record.explanation || mark}
            className={cn('inline-flex items-center gap-0.5', style)}
          >
            <Icon className="size-3" strokeWidth={2.6} aria-hidden />
            {recordTitles[record.purpose]}
            <span className="sr-only">: {mark}</span>
          </li>
        )
      })}
    </ul>
  )
}

/** Why records fail and where mail goes instead, in whole sentences; what is only missing says its name in the marks. */
export function FailureReasons({ row }: { row: DomainRow }) {
  const wrong = wrongOf(row).filter(({ explanation }) => explanation !== '')
  const unchecked = uncheckedOf(failingOf(row))
  const receiving = receivingOf(row)
  return (
    <>
      {unchecked && <UncheckedNote unchecked={unchecked} />}
      {(wrong.length > 0 || receiving !== null) && (
        <ul className="grid gap-0.5 text-soft text-xs">
          {sentencesOf(wrong).map(({ title, text }) => (
            <li key={title} className="wrap-anywhere whitespace-normal text-pretty">
              <span className="font-medium text-ink">{title}:</span> {text}
            </li>
          ))}
          {receiving !== null && (
            <li className="wrap-anywhere whitespace-normal text-pretty">{receiving}</li>
          )}
        </ul>
      )}
    </>
  )
}

export function LastChange({ at }: { at: string | null | undefined }) {
  return at ? <Ago at={at} className="text-soft text-xs" /> : null
}
