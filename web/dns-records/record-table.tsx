import type { DnsProvider } from '#contract/dns/setting.ts'
import type { DnsRecord } from '#contract/domains.ts'
import { cn } from '#web/ui/cn.ts'
import type { Notes } from './found-words.ts'
import { LoadingRow, RecordRows } from './record-rows.tsx'
import { roles } from './table-roles.ts'

type RecordTableProps = {
  label: string
  /** `undefined` while they are being read. */
  records: readonly DnsRecord[] | undefined
  /** How many rows to hold the place of. */
  placeholders: number
  /** Verify was pressed: what is missing may be called so. */
  hasAsked: boolean
  /** Whose form the records are typed into; null when not known. */
  provider: DnsProvider | null
  /** A line below the value of a record. */
  notes?: Notes
}

/** The records to publish, beside what DNS says now. Stands in a HostFormProvider. */
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

const widths: Record<string, string> = {
  Type: 'w-18',
  Host: 'w-40',
  Priority: 'w-18',
  TTL: 'w-17',
  'Found now': 'w-56',
  Status: 'w-30',
}
