import type { ReactNode } from 'react'
import type { DnsProvider } from '#contract/dns/setting.ts'
import { type DnsRecord, recordStatus } from '#contract/domains.ts'
import { cn } from '#web/ui/cn.ts'
import { Status } from '#web/ui/data/badge.tsx'
import { CopyButton } from '#web/ui/form/copy-button.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import type { Notes } from './found-words.ts'
import { useHost } from './host-switch.tsx'
import { isAdvised, RecordAdvice } from './record-advice.tsx'
import { purposes, recordNames, toneOf } from './record-text.ts'
import { RecordValue } from './record-value.tsx'
import { ServerWatch } from './server-watch.tsx'

type RecordTableProps = {
  label: string
  /** `undefined` while loading. */
  records: readonly DnsRecord[] | undefined
  /** Number of placeholder rows. */
  placeholders: number
  /** true: Verify was pressed, so missing records may be reported. */
  hasChecked: boolean
  /** The provider whose form the records are entered into; null when unknown. */
  provider: DnsProvider | null
  /** Lines below the values of records. */
  notes?: Notes
}

/** Below 1280 px each record is a card. Changing the CSS display of a table removes its roles, so they are set explicitly. */
export const roles = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  header: { role: 'columnheader' },
  cell: { role: 'cell' },
}

/** The records to publish, beside what DNS has now. Needs a HostFormProvider. */
export function RecordTable({ label, records, placeholders, notes, ...rest }: RecordTableProps) {
  const hasPriority = records?.some((record) => record.priority !== null) ?? false
  const headings = ['Type', 'Host', 'Value', ...(hasPriority ? ['Priority'] : [])]
  return (
    <table
      {...roles.table}
      aria-label={label}
      className="block w-full text-left text-sm xl:table xl:table-fixed xl:border-collapse"
    >
      <thead {...roles.group} className="border-line border-y bg-sunken max-xl:sr-only">
        <tr {...roles.row}>
          {[...headings, 'TTL', 'Found now', 'Status'].map((heading) => (
            <th
              key={heading}
              {...roles.header}
              scope="col"
              className={cn(
                'h-10 px-3 font-medium text-soft text-xs first:pl-6 last:pr-6',
                widths[heading],
              )}
            >
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      {records
        ? records.map((record) => (
            <RecordRows
              key={record.purpose}
              record={record}
              {...rest}
              note={notes?.[record.purpose]}
              hasPriority={hasPriority}
            />
          ))
        : Array.from({ length: placeholders }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have nothing else
            <LoadingRow key={index} columns={headings.length + 3} />
          ))}
    </table>
  )
}

type RecordRowsProps = {
  record: DnsRecord
  hasChecked: boolean
  hasPriority: boolean
  provider: DnsProvider | null
  /** Line below the value. */
  note: string | undefined
}

/** One record: what to publish, and below it what is wrong and which servers see it. */
export function RecordRows({ record, hasChecked, hasPriority, provider, note }: RecordRowsProps) {
  return (
    <tbody {...roles.group} className="block border-line border-b py-3 xl:table-row-group xl:py-0">
      <tr {...roles.row} className="grid gap-y-2 xl:table-row">
        <RecordCell label="Type">
          <span className="font-medium">{record.type}</span>
        </RecordCell>
        <RecordCell label="Host" isWide>
          <Host name={record.name} />
        </RecordCell>
        <RecordCell label="Value" isWide>
          <div className="flex flex-col">
            <RecordValue record={record} provider={provider} />
            {/* Seen above the value, and read after it: the cell begins with what is to be copied. */}
            <p className="order-first text-pretty text-soft text-xs">
              <span className="font-medium text-ink">{recordNames[record.purpose]}</span>{' '}
              {purposes[record.purpose]}
            </p>
          </div>
          {note && <p className="mt-1 text-pretty text-soft text-xs">{note}</p>}
        </RecordCell>
        {hasPriority && <RecordCell label="Priority">{record.priority ?? '–'}</RecordCell>}
        <RecordCell label="TTL">{record.ttl}</RecordCell>
        <RecordCell label="Found now" isWide>
          <Found record={record} />
          <ServerWatch record={record} />
        </RecordCell>
        <RecordCell label="Status" className="max-xl:order-first">
          <Status tone={toneOf(record)}>{recordStatus(record.isVerified)}</Status>
        </RecordCell>
      </tr>
      {isAdvised(record, hasChecked) && (
        <tr {...roles.row} className="block xl:table-row">
          <td
            {...roles.cell}
            colSpan={hasPriority ? 7 : 6}
            className="block px-5 pt-3 sm:px-6 xl:table-cell xl:pt-0 xl:pb-4"
          >
            <RecordAdvice record={record} provider={provider} />
          </td>
        </tr>
      )}
    </tbody>
  )
}

function Host({ name }: { name: string }) {
  const host = useHost(name)
  if (host === '') return <span className="text-soft">Leave it empty</span>
  return (
    <div className="flex items-start gap-1">
      <span className="min-w-0 wrap-anywhere select-all py-1.5 font-mono text-xs">{host}</span>
      <CopyButton text={host} label="Copy host" className="shrink-0" />
    </div>
  )
}

function Found({ record }: { record: DnsRecord }) {
  const [first, ...others] = record.found
  if (first === undefined)
    return <span className="text-soft">{record.checkedAt ? 'Nothing' : 'Not checked yet'}</span>
  return (
    <div className="grid min-w-0 gap-0.5">
      <span className="wrap-anywhere line-clamp-2 font-mono text-xs" title={first}>
        {first}
      </span>
      {others.length > 0 && <span className="text-soft text-xs">and {others.length} more</span>}
    </div>
  )
}

/** `isWide`: on a phone the cell fills the width, below its label. */
type RecordCellProps = {
  label: string
  isWide?: boolean
  className?: string
  children: ReactNode
}

function RecordCell({ label, isWide = false, className, children }: RecordCellProps) {
  return (
    <td
      {...roles.cell}
      className={cn(
        'grid grid-cols-[6.5rem_minmax(0,1fr)] items-baseline gap-3 px-5 tabular-nums sm:px-6 xl:table-cell xl:px-3 xl:py-3 xl:align-baseline xl:last:pr-6 xl:first:pl-6',
        isWide && 'max-sm:grid-cols-1 max-sm:gap-0.5',
        className,
      )}
    >
      <span aria-hidden className="text-soft text-xs xl:hidden">
        {label}
      </span>
      <div className="min-w-0">{children}</div>
    </td>
  )
}

export function LoadingRow({ columns }: { columns: number }) {
  return (
    <tbody {...roles.group} className="block border-line border-b xl:table-row-group">
      <tr {...roles.row} className="grid xl:table-row">
        {Array.from({ length: columns }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have nothing else
          <td {...roles.cell} key={index} className="px-5 py-3 xl:px-3 xl:first:pl-6">
            <Skeleton className={index === 2 ? 'h-8 w-full' : 'h-4 w-full'} />
          </td>
        ))}
      </tr>
    </tbody>
  )
}

const widths: Record<string, string> = {
  Type: 'w-18',
  Host: 'w-40',
  Priority: 'w-18',
  TTL: 'w-17',
  'Found now': 'w-56',
  Status: 'w-30',
}
