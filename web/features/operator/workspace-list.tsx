import { Building2 } from 'lucide-react'
import { Link } from 'react-router'
import {
  listOperatedWorkspaces,
  type OperatedWorkspace,
  workspaceOrder,
} from '#contract/operator/workspaces.ts'
import type { LoadPage } from '#web/lib/api/first-view.ts'
import { formatBytes, formatCount } from '#web/lib/format.ts'
import { readListPlace } from '#web/lib/list-place.ts'
import { type Cell, momentText } from '#web/paged-lists/export-button.tsx'
import { listQuery, PagedTable, usePagedList } from '#web/paged-lists/paged-table.tsx'
import { paths } from '#web/paths.ts'
import { Badge } from '#web/ui/data/badge.tsx'
import type { Column } from '#web/ui/data/table-model.ts'
import { EmptyState } from '#web/ui/state/empty-state.tsx'

export function WorkspaceList() {
  const { place, answer, read } = usePagedList(listOperatedWorkspaces, workspaceOrder.options)
  return (
    <PagedTable
      label="workspaces"
      title={(count) => `Workspaces: ${count}`}
      place={place}
      answer={answer}
      columns={columns}
      getRowId={({ _id }) => _id}
      exported={{ name: 'workspaces', cells, read }}
      empty={
        <EmptyState
          icon={Building2}
          title="No workspace yet"
          description="Each person who signs up has one. You made the first account here, if you see this at all."
        />
      }
    />
  )
}

export const loadWorkspaces = (ask: Parameters<LoadPage>[0]['ask'], query: URLSearchParams) =>
  ask(listOperatedWorkspaces, {
    query: listQuery(readListPlace(query, workspaceOrder.options), workspaceOrder.options),
  })

const cells: readonly Cell<OperatedWorkspace>[] = [
  ['Name', ({ name }) => name],
  ['State', (each) => stateOf(each)],
  ['Created', ({ createdAt }) => momentText(createdAt)],
  ['Domains', ({ domains }) => domains],
  ['Mailboxes', ({ mailboxes }) => mailboxes],
  ['Members', ({ members }) => members],
  ['Used bytes', ({ usedBytes }) => usedBytes],
  ['Quota in bytes', ({ quotaBytes }) => quotaBytes],
  ['Sent in 24 hours', ({ sent }) => sent],
  ['Bounced in 24 hours', ({ bounced }) => bounced],
  ['Id', ({ _id }) => _id],
]

const stateOf = ({ endsAt, suspendedAt }: OperatedWorkspace): string => {
  if (endsAt !== null) return 'Deleted'
  return suspendedAt === null ? 'Open' : 'Suspended'
}

export function WorkspaceState({ workspace }: { workspace: OperatedWorkspace }) {
  const state = stateOf(workspace)
  if (state === 'Open') return null
  return <Badge tone={state === 'Deleted' ? 'bad' : 'warn'}>{state}</Badge>
}

const isOrder = (id: string): boolean => workspaceOrder.options.some((order) => order === id)

const number = (
  id: string,
  header: string,
  value: (row: OperatedWorkspace) => number,
  className = '@max-2xl:hidden',
): Column<OperatedWorkspace> => ({
  ...{ id, header, align: 'right', isSortable: isOrder(id) },
  className: `w-px whitespace-nowrap tabular-nums ${className}`,
  cell: (row) => formatCount(value(row)),
})

const columns: readonly Column<OperatedWorkspace>[] = [
  {
    id: 'name',
    header: 'Name',
    isSortable: true,
    className: 'w-full max-w-0',
    cell: (workspace) => <Name workspace={workspace} />,
  },
  number('domains', 'Domains', ({ domains }) => domains),
  number('mailboxes', 'Mailboxes', ({ mailboxes }) => mailboxes),
  number('members', 'Members', ({ members }) => members, '@max-4xl:hidden'),
  {
    ...number('storage', 'Storage', ({ usedBytes }) => usedBytes),
    cell: ({ usedBytes }) => formatBytes(usedBytes),
  },
  number('sent', 'Sent in 24 h', ({ sent }) => sent),
  number('bounced', 'Bounced in 24 h', ({ bounced }) => bounced),
]

/** In a narrow table what is hidden stands here, too. */
function Name({ workspace }: { workspace: OperatedWorkspace }) {
  const { _id, name, domains } = workspace
  return (
    <div className="grid gap-0.5">
      <span className="flex min-w-0 items-center gap-2">
        <Link
          to={paths.operatedWorkspace(_id)}
          dir="auto"
          title={name}
          className="min-w-0 truncate py-0.5 font-medium underline-offset-4 hover:underline"
        >
          {name}
        </Link>
        <WorkspaceState workspace={workspace} />
      </span>
      <span className="text-soft text-xs tabular-nums @2xl:hidden">
        {counted(domains, 'domain', 'domains')}, {sizesOf(workspace)}
      </span>
    </div>
  )
}

const counted = (count: number, one: string, many: string): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`

/** '44 mailboxes, 43kB of 75GB; in 24 hours 12 sent, 1 bounced'. */
export const sizesOf = (workspace: OperatedWorkspace): string => {
  const { mailboxes, usedBytes, quotaBytes, sent, bounced } = workspace
  const storage = `${formatBytes(usedBytes)} of ${formatBytes(quotaBytes)}`
  const mail = `${formatCount(sent)} sent, ${formatCount(bounced)} bounced`
  return `${counted(mailboxes, 'mailbox', 'mailboxes')}, ${storage}; in 24 hours ${mail}`
}
