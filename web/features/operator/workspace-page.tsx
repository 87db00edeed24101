/** One workspace, for the operator: its people, its domains and who sends; suspend, resume and quota. */
import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import {
  getOperatedWorkspace,
  type OperatedWorkspaceDetails,
} from '#contract/operator/workspaces.ts'
import type { ApiError } from '#web/lib/api/api-error.ts'
import type { LoadPage } from '#web/lib/api/first-view.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { formatCount } from '#web/lib/format.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { Badge } from '#web/ui/data/badge.tsx'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { DataTable } from '#web/ui/data/data-table.tsx'
import { Ago } from '#web/ui/data/local-time.tsx'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import type { Column } from '#web/ui/data/table-model.ts'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { actionColumns } from './action-list.tsx'
import { OneLine, Person } from './cells.tsx'
import { OperatorsOnly } from './operator-page.tsx'
import { WorkspaceActions } from './workspace-actions.tsx'
import { sizesOf, WorkspaceState } from './workspace-list.tsx'

export function WorkspacePage() {
  const { id = '' } = useParams()
  const { data, error, refetch } = useApi(getOperatedWorkspace, { params: { id } })
  usePageTitle(data?.name ?? 'Workspace')
  return (
    <OperatorsOnly>
      {error && !data ? (
        <NoDetails>
          <Unreadable error={error} onRetry={() => void refetch()} />
        </NoDetails>
      ) : data ? (
        <Details workspace={data} />
      ) : (
        <NoDetails>
          <Skeleton className="h-96 w-full rounded-card" />
        </NoDetails>
      )}
    </OperatorsOnly>
  )
}

export const loadWorkspace: LoadPage = ({ ask, params: { id = '' } }) =>
  ask(getOperatedWorkspace, { params: { id } })

function NoDetails({ children }: { children: ReactNode }) {
  return (
    <div className="grid gap-6">
      <PageHeading title="Workspace" />
      {children}
    </div>
  )
}

function Unreadable({ error, onRetry }: { error: ApiError; onRetry: () => void }) {
  const isMissing = error.type === 'NOT_EXISTS'
  return (
    <Card>
      <ErrorState
        title={isMissing ? 'There is no such workspace' : 'Error loading the workspace'}
        description={isMissing ? 'It may have ended.' : error.message}
        {...(isMissing ? {} : { onRetry })}
      />
    </Card>
  )
}

type Props = { workspace: OperatedWorkspaceDetails }

function Details({ workspace }: Props) {
  const { name, suspendedFor } = workspace
  return (
    <div className="grid gap-6">
      <PageHeading
        title={name}
        subtitle={
          <span className="flex flex-wrap items-center gap-2">
            <WorkspaceState workspace={workspace} />
            {sizesOf(workspace)}
          </span>
        }
        actions={<WorkspaceActions workspace={workspace} />}
      />
      {workspace.suspendedAt !== null && (
        <p
          role="note"
          className="wrap-anywhere rounded-card border border-line bg-warn-wash px-5 py-3 text-sm"
        >
          It sends nothing to others. The reason that its members read: {suspendedFor}
        </p>
      )}
      <Part
        title="People"
        rows={workspace.people}
        columns={people}
        id={({ userId }) => userId}
        none="No members."
      />
      <Part
        title="Domains"
        rows={workspace.domainNames}
        columns={domains}
        id={({ name: each }) => each}
        none="No domains."
      />
      <Part
        title="Who sends"
        rows={workspace.senders}
        columns={senders}
        id={({ email }) => email}
        none="Nothing was sent in the last 24 hours."
      />
      <Part
        title="What operators did"
        rows={workspace.actions}
        columns={actionColumns}
        id={({ _id }) => _id}
        none="Nothing yet."
      />
    </div>
  )
}

/** A longer list scrolls by itself. */
const MANY = 50
const BODY_MAX_HEIGHT = '35rem'

type PartProps<Row> = {
  title: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  id: (row: Row) => string
  none: string
}

function Part<Row extends object>({ title, rows, columns, id, none }: PartProps<Row>) {
  return (
    <Card className="@container overflow-hidden">
      <CardHeader title={title} {...(rows.length === 0 && { description: none })} />
      {rows.length > 0 && (
        <DataTable
          label={title}
          rows={rows}
          columns={columns}
          getRowId={id}
          {...(rows.length > MANY && { bodyMaxHeight: BODY_MAX_HEIGHT })}
          className="border-line border-t"
          empty={null}
        />
      )}
    </Card>
  )
}

type Of<Name extends keyof OperatedWorkspaceDetails> =
  OperatedWorkspaceDetails[Name] extends (infer Row)[] ? Row : never

const people: readonly Column<Of<'people'>>[] = [
  {
    id: 'person',
    header: 'Person',
    className: 'w-full max-w-0',
    cell: ({ name, email }) => <Person name={name} email={email} />,
  },
  { id: 'role', header: 'Role', className: 'w-px', cell: ({ role }) => role },
  {
    id: 'seen',
    header: 'Last sign-in',
    className: 'w-px whitespace-nowrap @max-xl:hidden',
    cell: ({ lastLoginAt }) => (lastLoginAt === null ? 'Never' : <Ago at={lastLoginAt} />),
  },
]

const domains: readonly Column<Of<'domainNames'>>[] = [
  {
    id: 'name',
    header: 'Domain',
    className: 'w-full max-w-0',
    cell: ({ name }) => <OneLine text={name} />,
  },
  {
    id: 'state',
    header: 'State',
    className: 'w-px whitespace-nowrap',
    cell: ({ isVerified, isActive }) => {
      if (isActive) return <Badge tone="good">Active</Badge>
      return (
        <Badge tone={isVerified ? 'warn' : 'neutral'}>
          {isVerified ? 'Verified' : 'Not verified'}
        </Badge>
      )
    },
  },
  {
    id: 'mailboxes',
    header: 'Mailboxes',
    align: 'right',
    className: 'w-px tabular-nums',
    cell: ({ mailboxes }) => formatCount(mailboxes),
  },
]

const senders: readonly Column<Of<'senders'>>[] = [
  {
    id: 'email',
    header: 'Mailbox',
    className: 'w-full max-w-0',
    cell: ({ email }) => <OneLine text={email} />,
  },
  {
    id: 'sent',
    header: 'Sent in 24 h',
    align: 'right',
    className: 'w-px whitespace-nowrap tabular-nums',
    cell: ({ sent }) => formatCount(sent),
  },
  {
    id: 'bounced',
    header: 'Bounced',
    align: 'right',
    className: 'w-px tabular-nums',
    cell: ({ bounced }) => formatCount(bounced),
  },
]
