import { Check, Minus, X } from 'lucide-react'
import { isVerifiedIn, recordStatus, recordTitles } from '#contract/domains.ts'
import { cn } from '#web/ui/cn.ts'
import { Ago } from '#web/ui/data/local-time.tsx'
import { type DomainRow, failingOf, type HealthRecord } from './domain-rows.ts'

const marks = {
  Verified: { Icon: Check, style: 'text-good' },
  Pending: { Icon: Minus, style: 'text-soft' },
  Failed: { Icon: X, style: 'font-medium text-bad' },
} as const

/** Each record that is not right by its name, with its state as a sign and a word for screen readers. */
export function RecordMarks({ records }: { records: readonly HealthRecord[] }) {
  const shown = records.filter(({ state }) => state !== 'verified')
  if (shown.length === 0) return null
  return (
    <ul aria-label="Records" className="flex flex-wrap gap-x-2.5 gap-y-0.5 text-xs">
      {shown.map(({ purpose, state, explanation }) => {
        const status = recordStatus(isVerifiedIn(state))
        const { Icon, style } = marks[status]
        return (
          <li
            key={purpose}
            title={explanation || status}
            className={cn('inline-flex items-center gap-0.5', style)}
          >
            <Icon className="size-3" strokeWidth={2.6} aria-hidden />
            {recordTitles[purpose]}
            <span className="sr-only">: {status}</span>
          </li>
        )
      })}
    </ul>
  )
}

/** Why records fail: those that are wrong; what is only missing says its name in the marks. */
export function FailureReasons({ row }: { row: DomainRow }) {
  const wrong = failingOf(row).filter(({ explanation }) => explanation !== '')
  if (wrong.length === 0) return null
  return (
    <ul className="grid gap-0.5 text-soft text-xs">
      {wrong.map(({ purpose, explanation }) => (
        <li key={purpose} title={explanation} className="line-clamp-2 whitespace-normal">
          <span className="font-medium text-ink">{recordTitles[purpose]}:</span> {explanation}
        </li>
      ))}
    </ul>
  )
}

export function LastChange({ at }: { at: string | null | undefined }) {
  return at ? <Ago at={at} className="text-soft text-xs" /> : null
}
