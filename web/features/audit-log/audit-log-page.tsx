/** What was changed in the workspace, by whom and from where. Only for Admins; others see a note. */
import { Lock, ScrollText } from 'lucide-react'
import { memberCan } from '#contract/rights.ts'
import {
  type AuditEntry,
  auditTopic,
  BY_OPERATOR,
  BY_SYSTEM,
  listAuditLog,
  MOST_COUNTED_LINES,
} from '#contract/workspace/audit-log.ts'
import { listMembers } from '#contract/workspaces.ts'
import type { LoadPage } from '#web/lib/api/first-view.ts'
import { useRole } from '#web/lib/api/use-can.ts'
import { formatCount, formatMoment } from '#web/lib/format.ts'
import { useListFilters } from '#web/lib/list-filters.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { type Cell, momentText } from '#web/paged-lists/export-button.tsx'
import { PagedTable, usePagedList } from '#web/paged-lists/paged-table.tsx'
import { Card } from '#web/ui/data/card.tsx'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import type { Column } from '#web/ui/data/table-model.ts'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { AuditFilters, DAY } from './audit-filters.tsx'

export function AuditLogPage() {
  usePageTitle('Audit log')
  const role = useRole()
  return (
    <div className="grid gap-6">
      <PageHeading
        title="Audit log"
        subtitle="What was changed in this workspace in the last year, by whom and from where"
      />
      {role === undefined ? (
        <Skeleton className="h-96 w-full rounded-card" />
      ) : memberCan(role, 'see-audit-log') ? (
        <AuditLog />
      ) : (
        <Card>
          <EmptyState
            icon={Lock}
            title="Only an Admin can see this"
            description="Ask an Admin of the workspace if you need to know what was changed."
          />
        </Card>
      )}
    </div>
  )
}

export const loadAuditLog: LoadPage = ({ ask }) =>
  Promise.all([
    ask(listAuditLog, { query: { limit: 50, direction: 'down' } }),
    // Of the filter.
    ask(listMembers, {}),
  ])

function AuditLog() {
  const { filters, setFilters, isFiltered } = useListFilters(['who', 'topic', 'from', 'until'])
  const topic = auditTopic.options.find((each) => each === filters.topic)
  const [from, until] = [filters.from, filters.until].map((day) => (DAY.test(day) ? day : ''))
  const { place, answer, read } = usePagedList(listAuditLog, ['at'], {
    ...(filters.who !== '' && { who: filters.who }),
    ...(topic !== undefined && { topic }),
    ...(from && { from }),
    ...(until && { until }),
  })
  return (
    <PagedTable
      label="audit log"
      title={(count) =>
        (answer.data?.total ?? 0) > MOST_COUNTED_LINES
          ? `Changes: more than ${formatCount(MOST_COUNTED_LINES)}`
          : `Changes: ${count}`
      }
      place={place}
      answer={answer}
      columns={columns}
      getRowId={({ _id }) => _id}
      exported={{ name: 'audit-log', cells, read }}
      actions={<AuditFilters filters={filters} setFilters={setFilters} />}
      empty={
        <EmptyState
          icon={ScrollText}
          title={isFiltered ? 'Nothing was changed like this' : 'Nothing was changed yet'}
          description="Each change of members, domains, mailboxes, access to mail, keys, money and settings is listed here."
        />
      }
    />
  )
}

/** 'The system' in the middle of a line. */
const inLine = (who: string): string =>
  who === BY_SYSTEM || who === BY_OPERATOR ? who.replace('The', 'the') : who

const whoOf = ({ name, email, by }: AuditEntry): string => name || email || by

const objectOf = ({ object, objectAfter }: AuditEntry): string =>
  objectAfter === null ? object : `${object} → ${objectAfter}`

const detailsOf = ({ details, isDone }: AuditEntry): string =>
  [
    ...Object.entries(details).map(([field, text]) => `${field}: ${text}`),
    ...(isDone ? [] : ['It is not known whether it was finished']),
  ].join('; ')

/** Longer ones are opened. */
const SHORT = 400

function Details({ text }: { text: string }) {
  if (text.length <= SHORT)
    return text === '' ? null : <span className="wrap-anywhere text-soft text-xs">{text}</span>
  return (
    <details className="text-soft text-xs">
      <summary className="wrap-anywhere w-fit cursor-pointer rounded-sm py-1 underline-offset-4 hover:underline max-md:py-3.5">
        Show everything that it changed
      </summary>
      <span className="wrap-anywhere">{text}</span>
    </details>
  )
}

const cells: readonly Cell<AuditEntry>[] = [
  ['When', ({ at }) => momentText(at)],
  ['Time in UTC', ({ at }) => at],
  ['Name', ({ name }) => name],
  ['Email', ({ email }) => email],
  ['By', ({ by }) => by],
  ['Network address', ({ ip }) => ip],
  ['Topic', ({ topic }) => topic],
  ['What', ({ what }) => what],
  ['Object', objectOf],
  ['Details', detailsOf],
]

const columns: readonly Column<AuditEntry>[] = [
  {
    id: 'at',
    header: 'When',
    isSortable: true,
    className: 'w-px whitespace-nowrap tabular-nums @max-2xl:hidden',
    cell: ({ at }) => <LocalTime at={at} format={formatMoment} />,
  },
  {
    id: 'what',
    header: 'What',
    className: 'w-full max-w-0',
    cell: (entry) => (
      <span className="grid gap-0.5">
        <span className="wrap-anywhere">{entry.what}</span>
        {entry.object !== '' && (
          <span className="wrap-anywhere font-medium">{objectOf(entry)}</span>
        )}
        <Details text={detailsOf(entry)} />
        {/* In a narrow table the other columns stand here. */}
        <span className="wrap-anywhere @2xl:hidden text-soft text-xs">
          <LocalTime at={entry.at} format={formatMoment} /> by {inLine(whoOf(entry))}
          {entry.ip !== '' && `, ${entry.ip}`}
        </span>
      </span>
    ),
  },
  {
    id: 'who',
    header: 'Who',
    className: 'w-px @max-2xl:hidden',
    cell: (entry) => (
      <span className="grid w-56">
        <span className="truncate font-medium" title={whoOf(entry)}>
          {whoOf(entry)}
        </span>
        {entry.email !== '' && (
          <span className="truncate text-soft text-xs" title={entry.email}>
            {entry.email}
          </span>
        )}
        <span className="truncate text-soft text-xs" title={`${entry.by} ${entry.ip}`}>
          {[entry.name === '' ? '' : entry.by, entry.ip].filter(Boolean).join(', ')}
        </span>
      </span>
    ),
  },
]
