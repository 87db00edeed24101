/** How to set up a mail program for one mailbox: the steps in the program that the reader names, with their own address. */
import { Smartphone } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { getInstallation } from '#contract/installation.ts'
import type { MadeAppPassword } from '#contract/mail/app-passwords.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { MailboxSwitch } from '#web/features/mailbox-access/mailbox-switch.tsx'
import {
  askMailboxes,
  readable,
  useLastMailbox,
  useReadableMailboxes,
} from '#web/features/mailbox-access/use-mailboxes.ts'
import type { LoadPage } from '#web/lib/api/first-view.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useCan, useMay } from '#web/lib/api/use-can.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { paths } from '#web/paths.ts'
import { Card } from '#web/ui/data/card.tsx'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { useInBrowser } from '#web/ui/use-in-browser.ts'
import { ProgramChoice } from './program-choice.tsx'
import { isProgram, likelyProgram, type ProgramId, programs } from './programs.ts'
import { SettingsCard } from './settings-card.tsx'
import { StepsCard } from './steps-card.tsx'
import { TroublesCard } from './troubles-card.tsx'

export function SetUpPage() {
  usePageTitle('Mail programs')
  const [query] = useSearchParams()
  const last = useLastMailbox()
  const wanted = query.get('mailbox') ?? last
  const { mailboxes, isWhole, error, refetch } = useReadableMailboxes(wanted)
  const installation = useApi(getInstallation, {}, { staleTime: Number.POSITIVE_INFINITY })
  const isKnown = isWhole && wanted !== undefined
  const mailbox =
    mailboxes?.find(({ _id }) => _id === wanted) ?? (isKnown ? mailboxes?.[0] : undefined)
  const failure = mailbox ? installation.error : (error ?? installation.error)
  const retry = () => {
    if (error) refetch()
    if (installation.error) void installation.refetch()
  }
  return (
    <>
      <PageHeading
        title="Set up your mail program"
        subtitle={
          mailbox ? `${mailbox.email} on a phone or computer` : 'Your mail on a phone or computer'
        }
      />
      {failure && !(mailbox && installation.data) ? (
        <Card>
          <ErrorState
            title="The settings could not be loaded"
            description={failure.message}
            onRetry={retry}
          />
        </Card>
      ) : mailboxes?.length === 0 ? (
        <NoMailbox />
      ) : mailbox && mailboxes && installation.data ? (
        <SetUp
          key={mailbox._id}
          mailbox={mailbox}
          mailboxes={mailboxes}
          server={installation.data.mailServer}
          isHere={installation.data.mailServer.host === '127.0.0.1'}
        />
      ) : (
        <LoadingSetUp />
      )}
    </>
  )
}

type SetUpProps = {
  mailbox: Mailbox
  mailboxes: readonly Mailbox[]
  server: Parameters<typeof SettingsCard>[0]['account']['server']
  /** Only programs on this computer reach the server. */
  isHere: boolean
}

function SetUp({ mailbox, mailboxes, server, isHere }: SetUpProps) {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const likely = useInBrowser(() => likelyProgram(navigator.userAgent), 'iphone')
  const [made, setMade] = useState<MadeAppPassword | null>(null)
  const asked = query.get('program')
  const id = isProgram(asked) ? asked : likely
  const account = { email: mailbox.email, server }
  const open = (mailboxId: string, program: ProgramId) =>
    void navigate(paths.setUpMail({ mailbox: mailboxId, program }), { replace: true })
  return (
    <>
      {mailboxes.length > 1 && (
        <Card className="p-2 sm:max-w-md">
          <MailboxSwitch
            mailboxes={mailboxes}
            current={mailbox}
            onChoose={(chosen) => open(chosen, id)}
          />
        </Card>
      )}
      <ProgramChoice value={id} onChange={(program) => open(mailbox._id, program)} />
      {isHere && (
        <p className="rounded-xl bg-accent-wash/60 px-3.5 py-3 text-sm">
          Only programs on the computer that Mailstead runs on can reach it, at {server.host}. They
          ask whether to trust its certificate, which it made itself.
        </p>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_23rem]">
        <StepsCard {...{ id, mailbox, account, made }} onMade={setMade} />
        <div className="grid min-w-0 gap-6">
          <SettingsCard account={account} isOnPhone={programs[id].isOnPhone} />
          <TroublesCard mailbox={mailbox} account={account} />
        </div>
      </div>
    </>
  )
}

function NoMailbox() {
  const canManage = useCan('manage-mailboxes')
  const canGive = useMay('give-mailboxes')
  return (
    <Card>
      <EmptyState
        icon={Smartphone}
        title="No mailbox to set up"
        description={
          canGive
            ? 'A mail program is set up for a mailbox that you read. Whoever has the link to their mailbox finds the steps there. To read one yourself, open Access in its menu.'
            : 'A mail program is set up for a mailbox that you read. As soon as you are given one, its steps are here.'
        }
        action={
          canManage && (
            <Button asChild>
              <Link to={paths.mailboxes()}>Open the mailboxes</Link>
            </Button>
          )
        }
      />
    </Card>
  )
}

function LoadingSetUp() {
  return (
    <div role="status" className="grid gap-6">
      <span className="sr-only">Loading the settings</span>
      <Skeleton className="h-11 w-full sm:h-20" />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_23rem]">
        <Skeleton className="h-96 w-full" />
        <Skeleton className="h-96 w-full" />
      </div>
    </div>
  )
}

/** The queries that the page shows first. */
export const loadSetUp: LoadPage = ({ ask, query }) =>
  Promise.all([askMailboxes(ask, readable, query.get('mailbox')), ask(getInstallation, {})])
