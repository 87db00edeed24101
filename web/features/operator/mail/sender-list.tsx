import { EllipsisVertical, Pause, Play, Send } from 'lucide-react'
import { useState } from 'react'
import {
  listOperatedSenders,
  type OperatedSender,
  resumeSender,
  senderOrder,
} from '#contract/operator/senders.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { formatCount } from '#web/lib/format.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { type Cell, momentText } from '#web/paged-lists/export-button.tsx'
import { PagedTable, usePagedList } from '#web/paged-lists/paged-table.tsx'
import { Badge } from '#web/ui/data/badge.tsx'
import type { Column } from '#web/ui/data/table-model.ts'
import { Button } from '#web/ui/form/button.tsx'
import { DropdownMenu, MenuItem } from '#web/ui/overlay/dropdown-menu.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { StopSenderDialog } from './stop-sender-dialog.tsx'

/** What mailboxes sent in seven days, what came back, and what was complained about. */
export function SenderList() {
  const { place, answer, read } = usePagedList(listOperatedSenders, senderOrder.options)
  return (
    <PagedTable
      label="senders"
      title={(count) => `Senders in seven days: ${count}`}
      place={place}
      answer={answer}
      columns={columns}
      getRowId={({ _id }) => _id}
      exported={{ name: 'senders', cells, read }}
      empty={
        <EmptyState
          icon={Send}
          title="Nothing was sent in seven days"
          description="Mailboxes that send to others are listed here, with what came back and what was complained about."
        />
      }
    />
  )
}

const cells: readonly Cell<OperatedSender>[] = [
  ['Sender', ({ email }) => email],
  ['Workspace', ({ workspaceName }) => workspaceName],
  ['Sent', ({ sent }) => sent],
  ['Bounced', ({ bounced }) => bounced],
  ['Complaints', ({ complaints }) => complaints],
  ['Complaints from', ({ reporters }) => reporters.join(', ')],
  ['Stopped', ({ stoppedAt }) => momentText(stoppedAt)],
  ['For', ({ stoppedFor }) => stoppedFor ?? ''],
]

const count = (
  id: 'sent' | 'complaints',
  header: string,
  className: string,
): Column<OperatedSender> => ({
  ...{ id, header, isSortable: true, align: 'right' },
  className: `w-px whitespace-nowrap tabular-nums ${className}`,
  cell: (sender) => formatCount(sender[id]),
})

const columns: readonly Column<OperatedSender>[] = [
  {
    id: 'email',
    header: 'Sender',
    isSortable: true,
    className: 'w-full max-w-0',
    cell: (sender) => <SenderCell sender={sender} />,
  },
  count('sent', 'Sent', '@max-xl:hidden'),
  {
    id: 'bounced',
    header: 'Bounced',
    isSortable: true,
    align: 'right',
    className: 'w-px whitespace-nowrap tabular-nums @max-xl:hidden',
    cell: ({ sent, bounced }) => bouncedText(sent, bounced),
  },
  count('complaints', 'Complaints', ''),
  {
    id: 'actions',
    header: 'Actions',
    isHeaderHidden: true,
    className: 'w-px',
    cell: (sender) => <SenderMenu sender={sender} />,
  },
]

const bouncedText = (sent: number, bounced: number): string =>
  sent === 0
    ? formatCount(bounced)
    : `${formatCount(bounced)} (${Math.min(100, Math.round((100 * bounced) / sent))}%)`

function SenderCell({ sender }: { sender: OperatedSender }) {
  const { email, workspaceName, sent, bounced, reporters, stoppedAt, stoppedFor } = sender
  return (
    <span className="grid gap-0.5">
      <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <span className="wrap-anywhere font-medium">{email}</span>
        {stoppedAt !== null && <Badge tone="bad">Stopped</Badge>}
      </span>
      <span className="wrap-anywhere text-soft text-xs">{workspaceName}</span>
      {/* In a narrow table the other columns stand here. */}
      <span className="@xl:hidden text-soft text-xs tabular-nums">
        {formatCount(sent)} sent, {bouncedText(sent, bounced)} bounced
      </span>
      {reporters.length > 0 && (
        <span className="wrap-anywhere text-soft text-xs">
          Complaints from {reporters.join(', ')}
        </span>
      )}
      {stoppedAt !== null && (
        <span className="wrap-anywhere text-bad text-xs">
          {stoppedFor ?? 'Too many bounces stopped it'}
        </span>
      )}
    </span>
  )
}

function SenderMenu({ sender }: { sender: OperatedSender }) {
  const { _id: id, email, stoppedAt, stoppedFor } = sender
  const [isStopping, setIsStopping] = useState(false)
  const resume = useCall(resumeSender, {
    onSuccess: () => toast({ title: `${email} sends again`, variant: 'success' }),
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <>
      <DropdownMenu
        trigger={
          <Button
            variant="quiet"
            size="iconSmall"
            aria-label={`Actions for ${email}`}
            isPending={resume.isPending}
          >
            {!resume.isPending && <EllipsisVertical aria-hidden />}
          </Button>
        }
      >
        {stoppedFor === null && (
          <MenuItem isDangerous onSelect={() => setIsStopping(true)}>
            <Pause aria-hidden />
            Stop sending
          </MenuItem>
        )}
        {stoppedAt !== null && (
          <MenuItem onSelect={() => resume.mutate({ body: { sender: id } })}>
            <Play aria-hidden />
            Let it send again
          </MenuItem>
        )}
      </DropdownMenu>
      {isStopping && <StopSenderDialog sender={sender} onClose={() => setIsStopping(false)} />}
    </>
  )
}
