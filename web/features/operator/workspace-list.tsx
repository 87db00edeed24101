import { Building2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import {
  listOperatedWorkspaces,
  type OperatedWorkspace,
  workspaceOrder,
} from '#contract/operator/workspaces.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { formatBytes, formatCount } from '#web/lib/format.ts'
import { useListPlace } from '#web/lib/list-place.ts'
import { paths } from '#web/paths.ts'
import { Badge } from '#web/ui/data/badge.tsx'
import type { Column, Sort } from '#web/ui/data/table-model.ts'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { PAGE_SIZE, PagedTable } from './paged-table.tsx'

const sortable = ['name', 'mailboxes', 'storage', 'sent', 'bounced']

export function WorkspaceList() {
  const { search, settled, setSearch, sort, setSort } = useListPlace(sortable)
  const [offset, setOffset] = useState(0)
  const query = workspaceQuery({ q: settled, sort, cursor: String(offset) })
  const answer = useApi(listOperatedWorkspaces, { query }, { placeholderData: (before) => before })
  return (
    <PagedTable
      label="workspaces"
      title={(count) => `Workspaces: ${count}`}
      answer={{ ...answer, refetch: () => void answer.refetch() }}
      columns={columns}
      getRowId={({ _id }) => _id}
      search={search}
      onSearch={(text) => {
        setOffset(0)
        setSearch(text)
      }}
      sort={sort}
      onSort={setSort}
      offset={offset}
      onOffset={setOffset}
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

type Place = { q: string; sort: Sort | null; cursor: string }

export const workspaceQuery = ({ q, sort, cursor }: Place) => ({
  ...(q !== '' && { q }),
  order: workspaceOrder.catch('created').parse(sort?.id),
  direction: sort === null || sort.isDescending ? ('down' as const) : ('up' as const),
  limit: PAGE_SIZE,
  cursor,
})

export function WorkspaceState({ workspace }: { workspace: OperatedWorkspace }) {
  if (workspace.endsAt !== null) return <Badge tone="bad">Deleted</Badge>
  return workspace.suspendedAt === null ? null : <Badge tone="warn">Suspended</Badge>
}

const number = (
  id: string,
  header: string,
  value: (row: OperatedWorkspace) => number,
  className = '@max-2xl:hidden',
): Column<OperatedWorkspace> => ({
  ...{ id, header, value, align: 'right', isSortable: sortable.includes(id) },
  className: `w-px whitespace-nowrap tabular-nums ${className}`,
  cell: (row) => formatCount(value(row)),
})

const columns: readonly Column<OperatedWorkspace>[] = [
  {
    id: 'name',
    header: 'Name',
    value: ({ name }) => name.toLowerCase(),
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
