import { EllipsisVertical, Inbox, Pause, Play, RotateCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import {
  changeQueue,
  listQueue,
  type QueueChange,
  type QueuedDelivery,
  type QueueGroup,
  showQueue,
} from '#contract/operator/queue.ts'
import { call } from '#web/lib/api/api.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { formatCount } from '#web/lib/format.ts'
import { useListPlace } from '#web/lib/list-place.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { type Cell, momentText } from '#web/paged-lists/export-button.tsx'
import { EXPORT_PAGE_SIZE, PagedTable } from '#web/paged-lists/paged-table.tsx'
import { Ago } from '#web/ui/data/local-time.tsx'
import { type Column, matchesSearch } from '#web/ui/data/table-model.ts'
import { Button } from '#web/ui/form/button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { DropdownMenu, MenuItem } from '#web/ui/overlay/dropdown-menu.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'

const REFRESH_MS = 10_000
const sortable = ['destination', 'count', 'oldest']

export function QueueList() {
  const place = useListPlace(sortable)
  const { search } = place
  const answer = useApi(listQueue, {}, { refetchInterval: REFRESH_MS })
  const items = answer.data?.items.filter((row) => matchesSearch(columns, row, search.trim()))
  const total = answer.data?.total ?? 0
  return (
    <PagedTable
      label="queue"
      title={(count) => `Waiting deliveries: ${count}`}
      place={place}
      isSorted={false}
      answer={{
        error: answer.error,
        refetch: answer.refetch,
        data: items && { items, total, nextCursor: null, previousCursor: null },
      }}
      columns={columns}
      getRowId={({ destination, reason }) => `${destination} ${reason}`}
      exported={{
        ...{ name: 'queue', cells },
        read: (cursor) => call(showQueue, { query: { limit: EXPORT_PAGE_SIZE, cursor } }),
      }}
      empty={
        <EmptyState
          icon={Inbox}
          title="Nothing waits"
          description="Mail that other servers put off is listed here, by destination and reason."
        />
      }
    />
  )
}

/** The file has each delivery, not the groups of the page. */
const cells: readonly Cell<QueuedDelivery>[] = [
  ['Queued', ({ createdAt }) => momentText(createdAt)],
  ['State', ({ state }) => state],
  ['From', ({ mailFrom }) => mailFrom],
  ['To', ({ recipient }) => recipient],
  ['Workspace', ({ workspaceName }) => workspaceName],
  ['Tries', ({ attempts }) => attempts],
  ['Next try', ({ nextAttemptAt }) => momentText(nextAttemptAt)],
  ['Reason', ({ reason }) => reason],
  ['Bytes', ({ sizeBytes }) => sizeBytes],
  ['Id', ({ _id }) => _id],
]

const columns: readonly Column<QueueGroup>[] = [
  {
    id: 'destination',
    header: 'Destination',
    value: ({ destination, reason }) => `${destination} ${reason}`,
    isSortable: true,
    className: 'w-full max-w-0',
    cell: ({ destination, reason }) => (
      <span className="grid gap-0.5">
        <span className="truncate font-medium" title={destination}>
          {destination}
        </span>
        <span className="wrap-anywhere text-soft text-xs">{reason || 'Not tried yet'}</span>
      </span>
    ),
  },
  {
    id: 'count',
    header: 'Waiting',
    value: ({ count }) => count,
    isSortable: true,
    align: 'right',
    className: 'w-px whitespace-nowrap tabular-nums',
    cell: ({ count, held }) =>
      held === 0 ? formatCount(count) : `${formatCount(count)} (${formatCount(held)} held)`,
  },
  {
    id: 'oldest',
    header: 'Oldest',
    value: ({ oldestAt }) => oldestAt,
    isSortable: true,
    className: 'w-px whitespace-nowrap @max-xl:hidden',
    cell: ({ oldestAt }) => <Ago at={oldestAt} />,
  },
  {
    id: 'actions',
    header: 'Actions',
    isHeaderHidden: true,
    className: 'w-px',
    cell: (group) => <DestinationMenu group={group} />,
  },
]

const done: Record<QueueChange, string> = {
  retry: 'tried now',
  hold: 'held back',
  release: 'released',
  drop: 'dropped',
}

function DestinationMenu({ group: { destination, count, held } }: { group: QueueGroup }) {
  const [isAsking, setIsAsking] = useState(false)
  const change = useCall(changeQueue, {
    onSuccess: ({ changed }, { body }) => {
      setIsAsking(false)
      const what = changed === 1 ? 'delivery' : 'deliveries'
      const title = `${formatCount(changed)} ${what} to ${destination} ${done[body.change]}`
      toast({ title, variant: 'success' })
    },
    onError: (error) => {
      setIsAsking(false)
      toastError(messageOf(error))
    },
  })
  const act = (what: QueueChange) =>
    change.mutate({ body: { change: what, by: 'destination', value: destination } })
  return (
    <>
      <DropdownMenu
        trigger={
          <Button
            variant="quiet"
            size="iconSmall"
            aria-label={`Actions for ${destination}`}
            isPending={change.isPending}
          >
            {!change.isPending && <EllipsisVertical aria-hidden />}
          </Button>
        }
      >
        <MenuItem onSelect={() => act('retry')}>
          <RotateCw aria-hidden />
          Try all to this domain now
        </MenuItem>
        {held < count && (
          <MenuItem onSelect={() => act('hold')}>
            <Pause aria-hidden />
            Hold all back
          </MenuItem>
        )}
        {held > 0 && (
          <MenuItem onSelect={() => act('release')}>
            <Play aria-hidden />
            Release what is held
          </MenuItem>
        )}
        <MenuItem isDangerous onSelect={() => setIsAsking(true)}>
          <Trash2 aria-hidden />
          Drop all
        </MenuItem>
      </DropdownMenu>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={(isOpen) => !isOpen && !change.isPending && setIsAsking(false)}
        title={`Drop all mail to ${destination}?`}
        description="It is never delivered, and nobody gets a bounce. Its senders see it in the steps of each message."
        confirmText={change.isPending ? 'Dropping...' : 'Drop'}
        isPending={change.isPending}
        onConfirm={() => act('drop')}
      />
    </>
  )
}
