/** The columns of the list of domains. In a narrow place the first one shows everything. */
import { EllipsisVertical, FolderInput } from 'lucide-react'
import { Suspense, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { recordTones } from '#web/dns-records/record-text.ts'
import { useCan } from '#web/lib/api/use-can.ts'
import { lazyPart } from '#web/lib/fetch-part.ts'
import { formatCount } from '#web/lib/format.ts'
import { paths } from '#web/paths.ts'
import { Status } from '#web/ui/data/badge.tsx'
import { type Column, matchesSearch } from '#web/ui/data/table-model.ts'
import { Button } from '#web/ui/form/button.tsx'
import { DropdownMenu, MenuItem } from '#web/ui/overlay/dropdown-menu.tsx'
import type { DomainRow } from './domain-rows.ts'
import { FailureReasons, LastChange, RecordMarks } from './record-marks.tsx'

const dnsRecordsOf = (domain: DomainRow) => `${domain.verifiedRecords} of ${domain.requiredRecords}`
const statusOf = (domain: DomainRow) => (domain.status === 'active' ? 'Active' : 'Inactive')

/** Searched and sorted by. */
const mailAndDnsOf = ({ health }: DomainRow) =>
  health ? `${health.isMailOurs ? 'Here' : (health.mailTo ?? '')} ${health.provider ?? ''}` : ''

function Records({ domain }: { domain: DomainRow }) {
  return (
    <div className="grid gap-1">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
        <span className="whitespace-nowrap">{dnsRecordsOf(domain)} required</span>
        {domain.health && <RecordMarks records={domain.health.records} />}
        <span className="@6xl:hidden">
          <LastChange at={domain.health?.changedAt} />
        </span>
      </div>
      <FailureReasons row={domain} />
    </div>
  )
}

function MailAndDns({ domain: { health } }: { domain: DomainRow }) {
  if (!health) return null
  const { isMailOurs, mailTo, provider } = health
  return (
    <div className="grid text-xs">
      <span className="wrap-anywhere max-w-44 whitespace-normal">
        {isMailOurs ? 'Mail comes here' : mailTo ? `Mail to ${mailTo}` : 'No mail host'}
      </span>
      {provider && (
        <span className="wrap-anywhere max-w-44 whitespace-normal text-soft">
          DNS at {provider}
        </span>
      )}
    </div>
  )
}

type StatusProps = { domain: DomainRow; className?: string }

function ActiveStatus({ domain, ...rest }: StatusProps) {
  return (
    <Status tone={domain.status === 'active' ? 'good' : 'neutral'} {...rest}>
      {statusOf(domain)}
    </Status>
  )
}

function DnsStatus({ domain, ...rest }: StatusProps) {
  return (
    <Status
      // What could not be looked up is not green, whatever its last answer was.
      tone={domain.uncheckedSince === null ? recordTones[domain.dnsStatus] : 'neutral'}
      {...rest}
    >
      {domain.dnsStatus}
    </Status>
  )
}

const MoveDialog = lazyPart(async () => (await import('../move-dialog.tsx')).MoveDialog)

/** The specification has one item here; a domain is deleted on its own page. */
function DomainRowMenu({ domain }: { domain: DomainRow }) {
  const [isMoving, setIsMoving] = useState(false)
  const canMove = useCan('move-domains')
  return (
    <>
      <DropdownMenu
        trigger={
          <Button variant="quiet" size="iconSmall" aria-label={`Actions for ${domain.unicodeName}`}>
            <EllipsisVertical aria-hidden />
          </Button>
        }
      >
        <MenuItem disabled={!canMove} onSelect={() => setIsMoving(true)}>
          <FolderInput aria-hidden />
          Add to workspace
        </MenuItem>
      </DropdownMenu>
      <Suspense>
        {isMoving && <MoveDialog domain={domain} onClose={() => setIsMoving(false)} />}
      </Suspense>
    </>
  )
}

export const columns: readonly Column<DomainRow>[] = [
  {
    id: 'name',
    header: 'Name',
    value: (domain) => `${domain.unicodeName} ${domain.name}`,
    isSortable: true,
    className: 'w-[28%] min-w-40 @max-3xl:w-full @max-3xl:pr-0',
    cell: (domain) => <DomainName domain={domain} />,
  },
  {
    id: 'records',
    header: 'DNS Records',
    value: dnsRecordsOf,
    isSortable: true,
    className: 'w-[40%] min-w-40 tabular-nums @max-3xl:hidden',
    cell: (domain) => <Records domain={domain} />,
  },
  {
    id: 'dns',
    header: 'DNS Status',
    value: (domain) => domain.dnsStatus,
    isWord: true,
    isSortable: true,
    className: 'w-px @max-3xl:hidden',
    cell: (domain) => <DnsStatus domain={domain} />,
  },
  {
    id: 'status',
    header: 'Status',
    value: statusOf,
    isWord: true,
    isSortable: true,
    className: 'w-px @max-xl:hidden',
    cell: (domain) => <ActiveStatus domain={domain} />,
  },
  {
    id: 'mail',
    header: 'Mail and DNS',
    value: mailAndDnsOf,
    isSortable: true,
    className: 'w-px whitespace-nowrap @max-5xl:hidden',
    cell: (domain) => <MailAndDns domain={domain} />,
  },
  {
    id: 'mailboxes',
    header: 'Mailboxes',
    value: ({ mailboxes }) => mailboxes,
    isSortable: true,
    align: 'right',
    className: 'w-px tabular-nums @max-5xl:hidden',
    cell: ({ mailboxes }) => formatCount(mailboxes),
  },
  {
    id: 'changed',
    header: 'Last change',
    value: ({ health }) => health?.changedAt ?? '',
    isSortable: true,
    className: 'w-28 whitespace-nowrap @max-6xl:hidden',
    cell: ({ health }) => <LastChange at={health?.changedAt} />,
  },
  {
    id: 'action',
    header: 'Action',
    // The same width with and without rows.
    className: 'w-33 min-w-33 whitespace-nowrap',
    cell: (domain) => (
      <div className="flex items-center gap-1">
        <VerifyButton domain={domain} />
        <DomainRowMenu domain={domain} />
      </div>
    ),
  },
]
/** Ours; the others are the specification's, and always there. */
export const OPTIONAL_COLUMNS = columns.filter(({ id }) =>
  ['mail', 'mailboxes', 'changed'].includes(id),
)

export const sortable = columns.filter(({ isSortable }) => isSortable).map(({ id }) => id)

export const foundIn = (rows: readonly DomainRow[], search: string): DomainRow[] =>
  rows.filter((row) => matchesSearch(columns, row, search))

function VerifyButton({ domain }: { domain: DomainRow }) {
  const navigate = useNavigate()
  return (
    <Button
      // The specification has it in every row; it stands out where there is something to do.
      variant={domain.needsWork ? 'secondary' : 'quiet'}
      size="small"
      onClick={() => navigate(paths.addDomain({ id: domain._id }))}
    >
      Verify
    </Button>
  )
}

/** The Unicode name, with the A-label below when it differs. In a narrow table the values of hidden columns stand here too. */
function DomainName({ domain }: { domain: DomainRow }) {
  const isInternational = domain.unicodeName !== domain.name
  return (
    <div className="grid">
      <Link
        to={paths.domain(domain._id)}
        className="wrap-anywhere max-w-full justify-self-start py-0.5 font-medium underline-offset-4 hover:underline"
        title={domain.name}
        dir="auto"
      >
        {domain.unicodeName}
      </Link>
      {isInternational && <span className="wrap-anywhere text-soft text-xs">{domain.name}</span>}
      <span className="flex flex-wrap items-center gap-x-1.5 gap-y-1 pt-1 text-soft text-xs tabular-nums @3xl:hidden">
        <ActiveStatus domain={domain} className="@xl:hidden" />
        <DnsStatus domain={domain} />
        <span>
          <span className="sr-only">DNS Records </span>
          {dnsRecordsOf(domain)} required
        </span>
      </span>
      <span className="grid gap-1 pt-1 @3xl:hidden">
        <FailureReasons row={domain} />
      </span>
    </div>
  )
}
