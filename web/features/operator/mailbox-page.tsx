/** One mailbox, for the operator: who uses it and how much is in it. */
import { Link, useParams } from 'react-router'
import { getOperatedMailbox, type OperatedMailboxDetails } from '#contract/operator/mailboxes.ts'
import type { LoadPage } from '#web/lib/api/first-view.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { formatBytes, formatCount } from '#web/lib/format.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { paths } from '#web/paths.ts'
import { Ago } from '#web/ui/data/local-time.tsx'
import { MailboxState } from './mailbox-list.tsx'
import { type Fact, Facts, OneThing } from './page-parts.tsx'

export function MailboxPage() {
  const { id = '' } = useParams()
  const answer = useApi(getOperatedMailbox, { params: { id } })
  usePageTitle(answer.data?.email ?? 'Mailbox')
  return (
    <OneThing
      noun="mailbox"
      answer={answer}
      missing="It may have been deleted for good."
      heading={(mailbox) => ({
        title: mailbox.email,
        subtitle: (
          <span className="flex flex-wrap items-center gap-2">
            <MailboxState mailbox={mailbox} />
            {mailbox.name}, in
            <Link className={link} to={paths.operatedWorkspace(mailbox.workspaceId)}>
              {mailbox.workspaceName}
            </Link>
          </span>
        ),
      })}
    >
      {(mailbox) => (
        <>
          <Facts title="Who uses it" facts={peopleFacts(mailbox)} />
          <Facts title="What is in it" facts={mailFacts(mailbox)} />
          <Facts title="Addresses" facts={addressFacts(mailbox)} />
        </>
      )}
    </OneThing>
  )
}

export const loadMailbox: LoadPage = ({ ask, params: { id = '' } }) =>
  ask(getOperatedMailbox, { params: { id } })

const link = 'underline underline-offset-4'

const ago = (at: string | null | undefined) => (at ? <Ago at={at} /> : 'Never')

const peopleFacts = (mailbox: OperatedMailboxDetails): Fact[] => {
  const { holder } = mailbox
  return [
    [
      'Holder',
      holder ? (
        <Link key="holder" className={link} to={paths.operatedPerson(holder.userId)}>
          {holder.name}
        </Link>
      ) : (
        'Nobody signs in with its address'
      ),
    ],
    ['Last sign-in of the holder', ago(holder?.lastLoginAt)],
    ['Others who may read it', formatCount(mailbox.readers)],
    ['App passwords', formatCount(mailbox.appPasswords)],
    ['Last use by a mail program', ago(mailbox.lastProgramUseAt)],
    ['Created', ago(mailbox.createdAt)],
  ]
}

const mailFacts = (mailbox: OperatedMailboxDetails): Fact[] => [
  ['Storage', formatBytes(mailbox.usedBytes)],
  ['Messages', formatCount(mailbox.messages)],
  ['Folders', formatCount(mailbox.folders)],
  ['Sent in 24 hours', formatCount(mailbox.sent)],
  ['Bounced in 24 hours', formatCount(mailbox.bounced)],
]

const addressFacts = ({ aliases, catchAllOf }: OperatedMailboxDetails): Fact[] => [
  ['Aliases', aliases.length === 0 ? 'None' : aliases.join(', ')],
  ['Catch-all of', catchAllOf.length === 0 ? 'No domain' : catchAllOf.join(', ')],
]
