import { Inbox, SearchX } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import type { Mailbox } from '#contract/mailboxes.ts'
import { useCan } from '#web/lib/api/use-can.ts'
import { useDebounced } from '#web/lib/use-debounced.ts'
import { paths } from '#web/paths.ts'
import { Status, type Tone } from '#web/ui/data/badge.tsx'
import { Card } from '#web/ui/data/card.tsx'
import { DataTable } from '#web/ui/data/data-table.tsx'
import type { Column } from '#web/ui/data/table-model.ts'
import { Button } from '#web/ui/form/button.tsx'
import { SearchInput } from '#web/ui/form/search-input.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { MailboxRowMenu } from './mailbox-row-menu.tsx'
import { PayNow } from './pay-now.tsx'
import { everything, isSelected, selectionAfter } from './selection.ts'
import { useUnicodeName } from './use-domain-choices.ts'
import { useInactiveMailboxes, useMailboxes } from './use-mailboxes.ts'

const BODY_MAX_HEIGHT = '24rem'

const statuses = {
  active: { tone: 'good', text: 'Active' },
  suspended: { tone: 'warn', text: 'Suspended' },
  inactive: { tone: 'neutral', text: 'Inactive' },
} as const satisfies Record<Mailbox['status'], { tone: Tone; text: string }>

type MailboxTableProps = {
  hasBilling: boolean
  onCreate: () => void
  onEdit: (mailbox: Mailbox) => void
}

export function MailboxTable({ hasBilling, onCreate, onEdit }: MailboxTableProps) {
  const [typed, setTyped] = useState('')
  const search = useDebounced(typed.trim())
  const mailboxes = useMailboxes(search)
  const inactive = useInactiveMailboxes(search, hasBilling)
  const [selection, setSelection] = useState(everything)
  const canManage = useCan('manage-mailboxes')
  const columns = useMailboxColumns(canManage, onEdit)
  const rows = useMemo(
    () => mailboxes.data?.pages.flatMap((page) => page.items) ?? [],
    [mailboxes.data],
  )
  const ids = useMemo(() => rows.map((mailbox) => mailbox._id), [rows])
  const selected = useMemo(
    () => new Set(ids.filter((id) => isSelected(selection, id))),
    [ids, selection],
  )
  const toPay = (inactive.data ?? []).filter((mailbox) => isSelected(selection, mailbox._id))
  const isFailed = mailboxes.isError && !mailboxes.data
  return (
    <Card className="@container overflow-hidden">
      <header className="flex min-h-16 flex-wrap items-center justify-between gap-3 border-line border-b px-5 py-3.5">
        <SearchInput
          className="w-full sm:w-72"
          aria-label="Search mailboxes"
          placeholder="Search"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        {hasBilling && selected.size > 0 && inactive.data && <PayNow mailboxes={toPay} />}
      </header>
      {isFailed ? (
        <ErrorState
          title="Error loading mailboxes"
          description={mailboxes.error.message}
          onRetry={() => mailboxes.refetch()}
        />
      ) : (
        <DataTable
          // Another search starts at its first row.
          key={search}
          label="Mailboxes"
          rows={rows}
          columns={columns}
          getRowId={(mailbox) => mailbox._id}
          rowLabel={(mailbox) => `Select ${mailbox.email}`}
          selection={{
            selected,
            onChange: (ticked) => setSelection(selectionAfter(selection, ids, ticked)),
          }}
          bodyMaxHeight={BODY_MAX_HEIGHT}
          isLoading={mailboxes.isPending}
          onEndReached={() => {
            if (mailboxes.hasNextPage && !mailboxes.isFetchingNextPage)
              void mailboxes.fetchNextPage()
          }}
          empty={
            search === '' ? (
              <NoMailboxes onCreate={onCreate} canManage={canManage} />
            ) : (
              <NoMatch search={search} onClear={() => setTyped('')} />
            )
          }
        />
      )}
    </Card>
  )
}

function useMailboxColumns(
  canManage: boolean,
  onEdit: (mailbox: Mailbox) => void,
): readonly Column<Mailbox>[] {
  return useMemo(
    () => [
      {
        id: 'email',
        header: 'Email Address',
        className: 'w-1/2 max-w-0 @max-2xl:w-full',
        cell: (mailbox) => <Address mailbox={mailbox} />,
      },
      {
        id: 'name',
        header: 'Full Name',
        className: 'w-1/4 max-w-0 truncate @max-2xl:hidden',
        cell: (mailbox) => mailbox.fullName,
      },
      {
        id: 'domain',
        header: 'Domain',
        className: 'w-1/4 max-w-0 truncate @max-2xl:hidden',
        cell: ({ domain }) => <DomainName name={domain} />,
      },
      {
        id: 'actions',
        header: 'Actions',
        isHeaderHidden: true,
        className: 'w-px',
        cell: (mailbox) => (
          <MailboxRowMenu mailbox={mailbox} canManage={canManage} onEdit={() => onEdit(mailbox)} />
        ),
      },
    ],
    [canManage, onEdit],
  )
}

function DomainName({ name }: { name: string }) {
  const unicodeNameOf = useUnicodeName()
  return <span title={name}>{unicodeNameOf(name)}</span>
}

/** The address leads to its mail; beside it stands what it may do, in a narrow place also whose it is. */
function Address({ mailbox }: { mailbox: Mailbox }) {
  const { tone, text } = statuses[mailbox.status]
  return (
    <div className="flex min-w-0 gap-x-2.5 gap-y-0.5 @max-2xl:flex-col @2xl:items-center">
      <Link
        to={paths.viewMail({ mailbox: mailbox._id })}
        title={mailbox.email}
        className="truncate rounded font-medium underline-offset-4 hover:underline"
      >
        {mailbox.email}
      </Link>
      <div className="flex min-w-0 items-center gap-2">
        <Status tone={tone}>{text}</Status>
        <span className="truncate text-soft text-xs @2xl:hidden">{mailbox.fullName}</span>
      </div>
    </div>
  )
}

function NoMailboxes({ onCreate, canManage }: { onCreate: () => void; canManage: boolean }) {
  return (
    <EmptyState
      icon={Inbox}
      title="No mailboxes available"
      description="Your mailbox list is empty. Add a new mailbox to get going."
      action={
        <Button onClick={onCreate} disabled={!canManage}>
          Create mailboxes
        </Button>
      }
    />
  )
}

function NoMatch({ search, onClear }: { search: string; onClear: () => void }) {
  return (
    <EmptyState
      icon={SearchX}
      title="Nothing found"
      description={`No mailbox matches “${search}”.`}
      action={
        <Button variant="secondary" onClick={onClear}>
          Clear search
        </Button>
      }
    />
  )
}
