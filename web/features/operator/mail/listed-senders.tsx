import { ShieldBan, Trash2 } from 'lucide-react'
import { useState } from 'react'
import {
  type ListedSender,
  listedOrder,
  listListedSenders,
  removeListedSender,
} from '#contract/operator/lists.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { formatMoment } from '#web/lib/format.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { type Cell, momentText } from '#web/paged-lists/export-button.tsx'
import { PagedTable, usePagedList } from '#web/paged-lists/paged-table.tsx'
import { Badge } from '#web/ui/data/badge.tsx'
import { Ago, LocalTime } from '#web/ui/data/local-time.tsx'
import type { Column } from '#web/ui/data/table-model.ts'
import { Button } from '#web/ui/form/button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ListSenderDialog } from './list-sender-dialog.tsx'

/** Senders and networks that are blocked or allowed here. */
export function ListedSenders() {
  const [isAdding, setIsAdding] = useState(false)
  const { place, answer, read } = usePagedList(listListedSenders, listedOrder.options)
  return (
    <>
      <PagedTable
        label="blocked and allowed senders"
        title={(count) => `Blocked and allowed: ${count}`}
        place={place}
        answer={answer}
        columns={columns}
        getRowId={({ _id }) => _id}
        exported={{ name: 'blocked-and-allowed', cells, read }}
        actions={<Button onClick={() => setIsAdding(true)}>Add</Button>}
        empty={
          <EmptyState
            icon={ShieldBan}
            title="Nobody is blocked or allowed"
            description="Block a network or a sender that attacks, or allow one that the junk rules and the greylist hold up. It holds for all mailboxes here."
          />
        }
      />
      {isAdding && <ListSenderDialog onClose={() => setIsAdding(false)} />}
    </>
  )
}

const cells: readonly Cell<ListedSender>[] = [
  ['Sender or network', ({ value }) => value],
  ['State', ({ action }) => (action === 'block' ? 'Blocked' : 'Allowed')],
  ['Until', ({ endsAt }) => momentText(endsAt)],
  ['Note', ({ note }) => note],
  ['By', ({ madeBy }) => madeBy],
  ['Since', ({ madeAt }) => momentText(madeAt)],
]

const columns: readonly Column<ListedSender>[] = [
  {
    id: 'sender',
    header: 'Sender or network',
    className: 'w-full max-w-0',
    cell: ({ value, note, endsAt, madeBy }) => (
      <span className="grid gap-0.5">
        <span className="wrap-anywhere font-medium">{value}</span>
        {note !== '' && <span className="wrap-anywhere text-soft text-xs">{note}</span>}
        <span className="wrap-anywhere text-soft text-xs">
          {endsAt && (
            <>
              Until <LocalTime at={endsAt} format={formatMoment} />,{' '}
            </>
          )}
          by {madeBy}
        </span>
      </span>
    ),
  },
  {
    id: 'action',
    header: 'State',
    className: 'w-px',
    cell: ({ action }) =>
      action === 'block' ? <Badge tone="bad">Blocked</Badge> : <Badge tone="good">Allowed</Badge>,
  },
  {
    id: 'since',
    header: 'Since',
    isSortable: true,
    className: 'w-px whitespace-nowrap @max-xl:hidden',
    cell: ({ madeAt }) => <Ago at={madeAt} />,
  },
  {
    id: 'actions',
    header: 'Actions',
    isHeaderHidden: true,
    className: 'w-px',
    cell: (sender) => <RemoveButton sender={sender} />,
  },
]

function RemoveButton({ sender: { _id: id, value, action } }: { sender: ListedSender }) {
  const [isAsking, setIsAsking] = useState(false)
  const remove = useCall(removeListedSender, {
    onSuccess: ({ message }) => {
      setIsAsking(false)
      toast({ title: message, variant: 'success' })
    },
    onError: (error) => {
      setIsAsking(false)
      toastError(messageOf(error))
    },
  })
  return (
    <>
      <Button
        variant="quiet"
        size="iconSmall"
        aria-label={`Remove ${value}`}
        onClick={() => setIsAsking(true)}
      >
        <Trash2 aria-hidden />
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={(isOpen) => !isOpen && !remove.isPending && setIsAsking(false)}
        title={`Remove ${value}?`}
        description={
          action === 'block'
            ? 'Its mail is taken again, and judged like that of others.'
            : 'Its mail is judged like that of others again.'
        }
        confirmText={remove.isPending ? 'Removing...' : 'Remove'}
        isPending={remove.isPending}
        onConfirm={() => remove.mutate({ params: { id } })}
      />
    </>
  )
}
