/** One workspace, for the operator: its people, its domains and who sends; suspend, resume and quota. */
import { useParams } from 'react-router'
import {
  getOperatedWorkspace,
  type OperatedWorkspaceDetails,
} from '#contract/operator/workspaces.ts'
import type { LoadPage } from '#web/lib/api/first-view.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { formatCount } from '#web/lib/format.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { paths } from '#web/paths.ts'
import { Badge } from '#web/ui/data/badge.tsx'
import { Ago } from '#web/ui/data/local-time.tsx'
import type { Column } from '#web/ui/data/table-model.ts'
import { actionColumns } from './action-list.tsx'
import { LinkedLine, OneLine, Person } from './lists/cells.tsx'
import { OneThing, Part } from './page-parts.tsx'
import { WorkspaceActions } from './workspace-actions.tsx'
import { sizesOf, WorkspaceState } from './workspace-list.tsx'

export function WorkspacePage() {
  const { id = '' } = useParams()
  const answer = useApi(getOperatedWorkspace, { params: { id } })
  usePageTitle(answer.data?.name ?? 'Workspace')
  return (
    <OneThing
      noun="workspace"
      answer={answer}
      missing="It may have ended."
      heading={(workspace) => ({
        title: workspace.name,
        subtitle: (
          <span className="flex flex-wrap items-center gap-2">
            <WorkspaceState workspace={workspace} />
            {sizesOf(workspace)}
          </span>
        ),
        actions: <WorkspaceActions workspace={workspace} />,
      })}
    >
      {(workspace) => <Details workspace={workspace} />}
    </OneThing>
  )
}

export const loadWorkspace: LoadPage = ({ ask, params: { id = '' } }) =>
  ask(getOperatedWorkspace, { params: { id } })

type Props = { workspace: OperatedWorkspaceDetails }

function Details({ workspace }: Props) {
  return (
    <>
      {workspace.suspendedAt !== null && (
        <p
          role="note"
          className="wrap-anywhere rounded-card border border-line bg-warn-wash px-5 py-3 text-sm"
        >
          It sends nothing to others. The reason that its members read: {workspace.suspendedFor}
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
    </>
  )
}

type Of<Name extends keyof OperatedWorkspaceDetails> =
  OperatedWorkspaceDetails[Name] extends (infer Row)[] ? Row : never

const people: readonly Column<Of<'people'>>[] = [
  {
    id: 'person',
    header: 'Person',
    className: 'w-full max-w-0',
    cell: ({ userId, name, email }) => (
      <Person name={name} email={email} to={paths.operatedPerson(userId)} />
    ),
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
    cell: ({ email }) => <LinkedLine text={email} to={paths.operatedMailbox(email)} />,
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
