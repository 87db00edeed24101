import { Inbox } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Mailbox } from '#contract/mailboxes.ts'
import { useCan } from '#web/lib/api/use-can.ts'
import { useListPlace } from '#web/lib/list-place.ts'
import { Card } from '#web/ui/data/card.tsx'
import { DataTable } from '#web/ui/data/data-table.tsx'
import type { Selection } from '#web/ui/data/table-model.ts'
import { Button } from '#web/ui/form/button.tsx'
import { SearchInput } from '#web/ui/form/search-input.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { NoMatch } from '#web/ui/state/no-match.tsx'
import { useListHeight } from '#web/ui/use-list-height.tsx'
import { SORTABLE, useMailboxColumns } from './mailbox-columns.tsx'
import { PayNow } from './pay-now.tsx'
import {
  isSelected,
  type MailboxSelection,
  nothing,
  payable,
  selectionAfter,
  selectionAfterPayment,
} from './selection.ts'
import { useInactiveMailboxes, useMailboxes, useReadingOn } from './use-mailboxes.ts'

const BODY_MAX_HEIGHT = '24rem'

type MailboxTableProps = {
  hasBilling: boolean
  onCreate: () => void
  onEdit: (mailbox: Mailbox) => void
}

export function MailboxTable({ hasBilling, onCreate, onEdit }: MailboxTableProps) {
  const { search: typed, settled: search, setSearch, sort, setSort } = useListPlace(SORTABLE)
  const mailboxes = useMailboxes(search)
  const inactive = useInactiveMailboxes(search, hasBilling)
  useReadingOn(mailboxes, sort !== null)
  const canManage = useCan('manage-mailboxes')
  const columns = useMailboxColumns(canManage, onEdit)
  const rows = useMemo(
    () => mailboxes.data?.pages.flatMap((page) => page.items) ?? [],
    [mailboxes.data],
  )
  const canChoose = hasBilling && canManage
  const { selection, toPay, onPaid } = useSelectedMailboxes(
    rows,
    inactive.data,
    search !== '',
    canChoose,
  )
  const { card, button, height } = useListHeight(BODY_MAX_HEIGHT, rows.length)
  return (
    <Card ref={card} className="@container -scroll-mt-6 overflow-hidden">
      <header className="flex min-h-16 items-center gap-3 border-line border-b px-5 py-3.5">
        <SearchInput
          className="mr-auto min-w-0 flex-1 sm:max-w-72"
          aria-label="Search mailboxes"
          placeholder="Search"
          value={typed}
          onChange={(event) => setSearch(event.target.value)}
        />
        {canChoose && toPay.length > 0 && <PayNow mailboxes={toPay} onPaid={onPaid} />}
        {button}
      </header>
      {mailboxes.isError && !mailboxes.data ? (
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
          selection={selection}
          sort={sort}
          onSortChange={setSort}
          bodyMaxHeight={height}
          isLoading={mailboxes.isPending}
          onEndReached={() => {
            if (mailboxes.hasNextPage && !mailboxes.isFetchingNextPage)
              void mailboxes.fetchNextPage()
          }}
          empty={
            search === '' ? (
              canManage ? (
                <NoMailboxes onCreate={onCreate} />
              ) : (
                <NoneGiven />
              )
            ) : (
              <NoMatch subject="No mailbox" search={search} onClear={() => setSearch('')} />
            )
          }
        />
      )}
    </Card>
  )
}

/** The boxes of the rows on the screen, and which of the unpaid mailboxes, read or not, they choose. */
export function useSelectedMailboxes(
  rows: readonly Mailbox[],
  inactive: readonly Mailbox[] = [],
  isSearch: boolean,
  canPay: boolean,
): { selection: Selection; toPay: Mailbox[]; onPaid: () => void } {
  const [changed, setChosen] = useState<MailboxSelection | null>(null)
  const chosen = changed ?? (canPay ? payable : nothing)
  const selected = useMemo(
    () => new Set(rows.filter((row) => isSelected(chosen, row)).map(({ _id }) => _id)),
    [rows, chosen],
  )
  const onChange = (ticked: ReadonlySet<string>) => {
    const shown = new Set(rows.map(({ _id }) => _id))
    const unread = inactive.filter(({ _id }) => !shown.has(_id))
    setChosen(selectionAfter(chosen, { shown: rows, unread, isSearch }, ticked))
  }
  return {
    selection: { selected, onChange },
    toPay: inactive.filter((mailbox) => isSelected(chosen, mailbox)),
    onPaid: () => setChosen(selectionAfterPayment(chosen, inactive)),
  }
}

/** Of a User, who is given mailboxes and makes none. */
function NoneGiven() {
  return (
    <EmptyState
      icon={Inbox}
      title="No mailboxes available"
      description="Ask an Admin of this workspace to give you a mailbox."
    />
  )
}

function NoMailboxes({ onCreate }: { onCreate: () => void }) {
  return (
    <EmptyState
      icon={Inbox}
      title={
        <>
          No mailboxes available
          <span className="font-normal text-soft text-sm">
            {' - Your mailbox list is empty. Add a new mailbox to get going.'}
          </span>
        </>
      }
      action={<Button onClick={onCreate}>Create mailboxes</Button>}
    />
  )
}
