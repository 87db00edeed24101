/** One person, for the operator: where they are a member, what they read, and what was done for them. */
import { useParams } from 'react-router'
import { getOperatedAccount, type OperatedAccountDetails } from '#contract/operator/accounts.ts'
import type { LoadPage } from '#web/lib/api/first-view.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { formatCount } from '#web/lib/format.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { paths } from '#web/paths.ts'
import { Badge } from '#web/ui/data/badge.tsx'
import { Ago } from '#web/ui/data/local-time.tsx'
import type { Column } from '#web/ui/data/table-model.ts'
import { actionColumns } from './action-list.tsx'
import { LinkedLine } from './lists/cells.tsx'
import { Facts, OneThing, Part } from './page-parts.tsx'
import { PersonMenu } from './person-menu.tsx'

export function PersonPage() {
  const { id = '' } = useParams()
  const answer = useApi(getOperatedAccount, { params: { id } })
  usePageTitle(answer.data?.email ?? 'Person')
  return (
    <OneThing
      noun="person"
      answer={answer}
      missing="The account may have been deleted."
      heading={(account) => ({
        title: account.name || account.email,
        subtitle: (
          <span className="flex flex-wrap items-center gap-2">
            {account.isOperator && <Badge tone="accent">Operator</Badge>}
            {account.isHolder && <Badge tone="neutral">Holder of a mailbox</Badge>}
            {account.verifiedAt === null && <Badge tone="warn">Not verified</Badge>}
            {account.email}
          </span>
        ),
        actions: <PersonMenu account={account} />,
      })}
    >
      {(account) => <Details account={account} />}
    </OneThing>
  )
}

export const loadPerson: LoadPage = ({ ask, params: { id = '' } }) =>
  ask(getOperatedAccount, { params: { id } })

function Details({ account }: { account: OperatedAccountDetails }) {
  const { lastLoginAt, createdAt, sessions } = account
  return (
    <>
      <Facts
        title="Sign-in"
        facts={[
          ['Last sign-in', lastLoginAt === null ? 'Never' : <Ago key="seen" at={lastLoginAt} />],
          ['Browsers that are signed in', formatCount(sessions)],
          ['Created', <Ago key="created" at={createdAt} />],
        ]}
      />
      <Part
        title="Workspaces"
        rows={account.workspaces}
        columns={workspaces}
        id={({ _id }) => _id}
        none="In no workspace."
      />
      <Part
        title="Mailboxes"
        rows={account.mailboxes}
        columns={mailboxes}
        id={({ _id }) => _id}
        none="Reads no mailbox."
      />
      <Part
        title="What operators did"
        rows={account.actions}
        columns={actionColumns}
        id={({ _id }) => _id}
        none="Nothing yet."
      />
    </>
  )
}

type Of<Name extends keyof OperatedAccountDetails> =
  OperatedAccountDetails[Name] extends (infer Row)[] ? Row : never

const workspaces: readonly Column<Of<'workspaces'>>[] = [
  {
    id: 'name',
    header: 'Workspace',
    className: 'w-full max-w-0',
    cell: ({ _id, name }) => <LinkedLine text={name} to={paths.operatedWorkspace(_id)} />,
  },
  { id: 'role', header: 'Role', className: 'w-px', cell: ({ role }) => role },
]

const mailboxes: readonly Column<Of<'mailboxes'>>[] = [
  {
    id: 'email',
    header: 'Mailbox',
    className: 'w-full max-w-0',
    cell: ({ _id, email }) => <LinkedLine text={email} to={paths.operatedMailbox(_id)} />,
  },
  {
    id: 'as',
    header: 'As',
    className: 'w-px',
    cell: ({ isHolder }) => (isHolder ? 'Holder' : 'Reader'),
  },
]
