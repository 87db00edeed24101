import type { ReactNode } from 'react'
import { type DnsRecord, recordStatus } from '#contract/domains.ts'
import { cn } from '#web/ui/cn.ts'
import { Status, type Tone } from '#web/ui/data/badge.tsx'
import { CopyButton } from '#web/ui/form/copy-button.tsx'
import { Skeleton } from '#web/ui/state/skeleton.tsx'
import { useHostForm } from './host-switch.tsx'
import { RecordAdvice } from './record-advice.tsx'
import { relativeHost } from './record-text.ts'
import { RecordValue } from './record-value.tsx'

type RecordTableProps = {
  label: string
  domainName: string
  /** `undefined` while they are being read. */
  records: readonly DnsRecord[] | undefined
  /** How many rows to hold the place of. */
  placeholders: number
  /** Verify was pressed: what is missing may be called so. */
  hasAsked: boolean
}

// Below 1280 px each record is a card. Browsers forget what a table is when its display changes,
// so the roles are said.
const roles = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  header: { role: 'columnheader' },
  cell: { role: 'cell' },
}

/** The records to publish, beside what DNS says now. */
export function RecordTable({ label, records, placeholders, ...rest }: RecordTableProps) {
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
              key={record.name + record.type}
              record={record}
              {...rest}
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

const widths: Record<string, string> = {
  Type: 'w-18',
  Host: 'w-42',
  Priority: 'w-18',
  TTL: 'w-17',
  'Found now': 'w-44',
  Status: 'w-30',
}

type RecordRowsProps = {
  record: DnsRecord
  domainName: string
  hasAsked: boolean
  hasPriority: boolean
}

function RecordRows({ record, domainName, hasAsked, hasPriority }: RecordRowsProps) {
  const form = useHostForm()
  const host = form === 'full' ? record.name : relativeHost(record.name, domainName)
  return (
    <tbody {...roles.group} className="block border-line border-b py-3 xl:table-row-group xl:py-0">
      <tr {...roles.row} className="grid gap-y-2 xl:table-row">
        <RecordCell label="Type">
          <span className="font-medium">{record.type}</span>
        </RecordCell>
        <RecordCell label="Host">
          <div className="flex items-start gap-1">
            <span className="min-w-0 wrap-anywhere select-all py-1.5 font-mono text-xs">
              {host}
            </span>
            <CopyButton text={host} label="Copy host" className="shrink-0" />
          </div>
        </RecordCell>
        <RecordCell label="Value" isWide>
          <RecordValue record={record} />
        </RecordCell>
        {hasPriority && <RecordCell label="Priority">{record.priority ?? '–'}</RecordCell>}
        <RecordCell label="TTL">{record.ttl}</RecordCell>
        <RecordCell label="Found now" isWide={record.found.length > 0}>
          <Found record={record} />
        </RecordCell>
        <RecordCell label="Status">
          <Status tone={toneOf(record, hasAsked)}>{recordStatus(record.isVerified)}</Status>
        </RecordCell>
      </tr>
      <RecordAdvice
        record={record}
        hasAsked={hasAsked}
        columns={hasPriority ? 7 : 6}
        rowRole={roles.row}
        cellRole={roles.cell}
      />
    </tbody>
  )
}

/** Pending is calm until somebody has asked for an answer, and nothing that is only recommended is alarming. */
function toneOf(record: DnsRecord, hasAsked: boolean): Tone {
  if (record.isVerified === true) return 'good'
  if (record.isVerified === null) return record.required ? 'bad' : 'warn'
  return hasAsked ? 'warn' : 'neutral'
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

/** `isWide`: on a phone it has the whole width, below its label. */
type RecordCellProps = { label: string; isWide?: boolean; children: ReactNode }

function RecordCell({ label, isWide = false, children }: RecordCellProps) {
  return (
    <td
      {...roles.cell}
      className={cn(
        'grid grid-cols-[6.5rem_minmax(0,1fr)] items-baseline gap-3 px-5 tabular-nums sm:px-6 xl:table-cell xl:px-3 xl:py-3 xl:align-baseline xl:last:pr-6 xl:first:pl-6',
        isWide && 'max-sm:grid-cols-1 max-sm:gap-0.5',
      )}
    >
      <span aria-hidden className="text-soft text-xs xl:hidden">
        {label}
      </span>
      <div className="min-w-0">{children}</div>
    </td>
  )
}

function LoadingRow({ columns }: { columns: number }) {
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
