import { useState } from 'react'
import type { Role } from '#contract/rights.ts'
import { listMembers, type Member } from '#contract/workspaces.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { Avatar } from '#web/ui/data/avatar.tsx'
import { Badge, type Tone } from '#web/ui/data/badge.tsx'
import { Card } from '#web/ui/data/card.tsx'
import { DataTable } from '#web/ui/data/data-table.tsx'
import { Ago } from '#web/ui/data/local-time.tsx'
import type { Column } from '#web/ui/data/table-model.ts'
import { SearchInput } from '#web/ui/form/search-input.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { NoMatch } from '#web/ui/state/no-match.tsx'
import { InviteButton } from './invite-dialog.tsx'
import { MemberMenu } from './member-menu.tsx'

/** The members of the workspace. */
export function MemberTable() {
  const members = useApi(listMembers, {})
  const [search, setSearch] = useState('')
  const rows = members.data ?? []
  if (members.isError && !members.data)
    return (
      <Card>
        <ErrorState
          title="Error loading users"
          description={members.error.message}
          onRetry={() => members.refetch()}
        />
      </Card>
    )
  return (
    <Card className="@container overflow-hidden">
      <header className="flex flex-wrap items-center justify-between gap-3 border-line border-b px-5 py-3.5">
        <h2 aria-live="polite" className="mr-auto font-semibold text-sm tabular-nums">
          {members.isPending ? 'Loading...' : `Users: ${rows.length}`}
        </h2>
        <InviteButton />
        <SearchInput
          className="w-full sm:w-72"
          aria-label="Search users"
          placeholder="Search"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </header>
      <DataTable
        label="Users"
        rows={rows}
        columns={columns}
        getRowId={(member) => member._id}
        search={search}
        bodyMaxHeight="34rem"
        isLoading={members.isPending}
        empty={<NoMatch subject="Nobody here" search={search} onClear={() => setSearch('')} />}
      />
    </Card>
  )
}

export const roleTones = {
  Admin: 'accent',
  Editor: 'good',
  User: 'neutral',
} as const satisfies Record<Role, Tone>

const columns: readonly Column<Member>[] = [
  {
    id: 'name',
    header: 'Name',
    value: ({ name, email }) => `${name} ${email}`,
    isSortable: true,
    className: 'w-full max-w-0',
    cell: (member) => <MemberName member={member} />,
  },
  {
    id: 'type',
    header: 'Type',
    value: ({ role }) => role,
    isSortable: true,
    cell: ({ role }) => <Badge tone={roleTones[role]}>{role}</Badge>,
  },
  {
    id: 'lastLogin',
    header: 'Last Login',
    value: ({ lastLoginAt }) => lastLoginAt ?? '',
    isSortable: true,
    className: 'whitespace-nowrap @max-xl:hidden',
    cell: ({ lastLoginAt }) => <LastLogin at={lastLoginAt} />,
  },
  {
    id: 'actions',
    header: 'Actions',
    isHeaderHidden: true,
    className: 'w-px',
    cell: (member) => <MemberMenu member={member} />,
  },
]

function MemberName({ member }: { member: Member }) {
  const { name, email, avatar, isYou, lastLoginAt } = member
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Avatar name={name} src={avatar} className="@max-md:hidden" />
      <div className="grid min-w-0">
        <span className="flex min-w-0 gap-1">
          <span dir="auto" className="truncate font-medium">
            {name}
          </span>
          {isYou && <span className="shrink-0 text-soft">(you)</span>}
        </span>
        <span className="truncate text-soft text-xs">{email}</span>
        <span className="truncate text-soft text-xs @xl:hidden">
          <LastLogin at={lastLoginAt} />
        </span>
      </div>
    </div>
  )
}

function LastLogin({ at }: { at: string | null }) {
  return at === null ? <span className="text-soft">Never</span> : <Ago at={at} />
}
