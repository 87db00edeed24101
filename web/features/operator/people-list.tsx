import { Users } from 'lucide-react'
import {
  accountOrder,
  listOperatedAccounts,
  type OperatedAccount,
} from '#contract/operator/accounts.ts'
import { type Cell, momentText } from '#web/paged-lists/export-button.tsx'
import { PagedTable, usePagedList } from '#web/paged-lists/paged-table.tsx'
import { paths } from '#web/paths.ts'
import { Badge } from '#web/ui/data/badge.tsx'
import { Ago } from '#web/ui/data/local-time.tsx'
import type { Column } from '#web/ui/data/table-model.ts'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { Person } from './lists/cells.tsx'
import { PersonMenu } from './person-menu.tsx'

export function PeopleList() {
  const { place, answer, read } = usePagedList(listOperatedAccounts, accountOrder.options)
  return (
    <PagedTable
      label="people"
      title={(count) => `People: ${count}`}
      place={place}
      answer={answer}
      columns={columns}
      getRowId={({ _id }) => _id}
      exported={{ name: 'people', cells, read }}
      empty={
        <EmptyState
          icon={Users}
          title="No account yet"
          description="People appear here when they sign up."
        />
      }
    />
  )
}

const placesOf = ({ isHolder, workspaces }: OperatedAccount): string =>
  isHolder
    ? 'Signs in to one mailbox'
    : workspaces.map(({ name, role }) => `${name} (${role})`).join(', ')

const cells: readonly Cell<OperatedAccount>[] = [
  ['Name', ({ name }) => name],
  ['Email', ({ email }) => email],
  ['Created', ({ createdAt }) => momentText(createdAt)],
  ['Verified', ({ verifiedAt }) => momentText(verifiedAt)],
  ['Last sign-in', ({ lastLoginAt }) => momentText(lastLoginAt)],
  ['Operator', ({ isOperator }) => (isOperator ? 'Yes' : 'No')],
  ['Workspaces', placesOf],
  ['Id', ({ _id }) => _id],
]

const columns: readonly Column<OperatedAccount>[] = [
  {
    id: 'person',
    header: 'Person',
    isSortable: true,
    className: 'w-1/2 @max-2xl:w-full max-w-0',
    cell: ({ _id, name, email }) => (
      <Person name={name} email={email} to={paths.operatedPerson(_id)} />
    ),
  },
  {
    id: 'workspaces',
    header: 'Workspaces',
    className: 'w-1/2 max-w-0 @max-2xl:hidden',
    cell: (account) => <Places account={account} />,
  },
  {
    id: 'seen',
    header: 'Last sign-in',
    isSortable: true,
    className: 'w-px whitespace-nowrap @max-xl:hidden',
    cell: ({ lastLoginAt, verifiedAt }) => {
      if (verifiedAt === null) return <Badge tone="warn">Not verified</Badge>
      return lastLoginAt === null ? 'Never' : <Ago at={lastLoginAt} />
    },
  },
  {
    id: 'actions',
    header: 'Actions',
    isHeaderHidden: true,
    className: 'w-px',
    cell: (account) => <PersonMenu account={account} />,
  },
]

function Places({ account }: { account: OperatedAccount }) {
  const text = placesOf(account)
  return (
    <span className="flex min-w-0 items-center gap-2">
      {account.isOperator && <Badge tone="accent">Operator</Badge>}
      <span className="truncate" title={text}>
        {text}
      </span>
    </span>
  )
}
