import { Inbox } from 'lucide-react'
import {
  listOperatedMailboxes,
  mailboxOrder,
  type OperatedMailbox,
} from '#contract/operator/mailboxes.ts'
import { formatBytes } from '#web/lib/format.ts'
import { type Cell, momentText } from '#web/paged-lists/export-button.tsx'
import { PagedTable, usePagedList } from '#web/paged-lists/paged-table.tsx'
import { paths } from '#web/paths.ts'
import { Badge } from '#web/ui/data/badge.tsx'
import { Ago } from '#web/ui/data/local-time.tsx'
import type { Column } from '#web/ui/data/table-model.ts'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { LinkedLine } from './lists/cells.tsx'

export function MailboxList() {
  const { place, answer, read } = usePagedList(listOperatedMailboxes, mailboxOrder.options)
  return (
    <PagedTable
      label="mailboxes"
      title={(count) => `Mailboxes: ${count}`}
      place={place}
      answer={answer}
      columns={columns}
      getRowId={({ _id }) => _id}
      exported={{ name: 'mailboxes', cells, read }}
      empty={
        <EmptyState
          icon={Inbox}
          title="No mailbox yet"
          description="The mailboxes of all workspaces are listed here."
        />
      }
    />
  )
}

const words = { inactive: 'Not paid', active: 'Active', suspended: 'Suspended' } as const

const stateOf = ({ status, endsAt }: OperatedMailbox): string =>
  endsAt === null ? words[status] : 'Deleted'

export function MailboxState({ mailbox }: { mailbox: OperatedMailbox }) {
  const state = stateOf(mailbox)
  if (state === 'Active') return <Badge tone="good">{state}</Badge>
  return <Badge tone={state === 'Deleted' ? 'bad' : 'warn'}>{state}</Badge>
}

const cells: readonly Cell<OperatedMailbox>[] = [
  ['Email', ({ email }) => email],
  ['Name', ({ name }) => name],
  ['Workspace', ({ workspaceName }) => workspaceName],
  ['State', stateOf],
  ['Used bytes', ({ usedBytes }) => usedBytes],
  ['Created', ({ createdAt }) => momentText(createdAt)],
  ['Id', ({ _id }) => _id],
]

const columns: readonly Column<OperatedMailbox>[] = [
  {
    id: 'address',
    header: 'Address',
    isSortable: true,
    className: 'w-1/2 @max-2xl:w-full max-w-0',
    cell: ({ _id, email, workspaceName }) => (
      <span className="grid">
        <LinkedLine text={email} to={paths.operatedMailbox(_id)} />
        <span className="@2xl:hidden truncate text-soft text-xs">{workspaceName}</span>
      </span>
    ),
  },
  {
    id: 'workspace',
    header: 'Workspace',
    className: 'w-1/2 max-w-0 @max-2xl:hidden',
    cell: ({ workspaceId, workspaceName }) => (
      <LinkedLine text={workspaceName} to={paths.operatedWorkspace(workspaceId)} />
    ),
  },
  {
    id: 'state',
    header: 'State',
    className: 'w-px whitespace-nowrap',
    cell: (mailbox) => <MailboxState mailbox={mailbox} />,
  },
  {
    id: 'storage',
    header: 'Storage',
    isSortable: true,
    align: 'right',
    className: 'w-px whitespace-nowrap tabular-nums',
    cell: ({ usedBytes }) => formatBytes(usedBytes),
  },
  {
    id: 'created',
    header: 'Created',
    isSortable: true,
    className: 'w-px whitespace-nowrap @max-xl:hidden',
    cell: ({ createdAt }) => <Ago at={createdAt} />,
  },
]
