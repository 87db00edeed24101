/** The settings of one mailbox: whose it is, and its signature. */
import { Inbox } from 'lucide-react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { useCan } from '#web/lib/api/use-can.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { paths } from '#web/paths.ts'
import { Card } from '#web/ui/data/card.tsx'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/skeleton.tsx'
import { MailboxSwitch } from './place/mailbox-switch.tsx'
import { lastMailbox, useMailboxList } from './place/use-mailboxes.ts'
import { SendingCard } from './sending/sending-card.tsx'
import { AliasesCard } from './settings/aliases/aliases-card.tsx'
import { SettingsForm } from './settings/settings-form.tsx'

export function MailboxSettingsPage() {
  usePageTitle('Mailbox settings')
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const canManage = useCan('manage-mailboxes')
  const mailboxes = useMailboxList('all')
  // Read when there is a list to find it in: there is none while the server draws.
  const wanted = () => query.get('mailbox') ?? lastMailbox.read()
  const mailbox = mailboxes.data?.find(({ _id }) => _id === wanted()) ?? mailboxes.data?.[0]
  return (
    <div className="grid gap-6">
      <PageHeading
        title="Mailbox settings"
        subtitle="The name that others see, and the signature below your messages"
      />
      <Card className="max-w-3xl">
        {mailboxes.isError && !mailboxes.data ? (
          <ErrorState
            title="The mailboxes could not be loaded"
            description={mailboxes.error.message}
            onRetry={() => void mailboxes.refetch()}
          />
        ) : mailbox && mailboxes.data ? (
          <>
            <div className="border-line border-b p-2 sm:px-4">
              <MailboxSwitch
                mailboxes={mailboxes.data}
                current={mailbox}
                onChoose={(id) => void navigate(paths.mailboxSettings({ mailbox: id }))}
              />
            </div>
            <SettingsForm key={mailbox._id} mailbox={mailbox} canManage={canManage} />
          </>
        ) : mailboxes.data ? (
          <EmptyState
            icon={Inbox}
            title="No mailbox yet"
            description="Settings appear here as soon as there is a mailbox."
            action={
              canManage && (
                <Button asChild>
                  <Link to={paths.newMailbox()}>Create a mailbox</Link>
                </Button>
              )
            }
          />
        ) : (
          <LoadingSettings />
        )}
      </Card>
      {mailbox && <SendingCard key={`sending ${mailbox._id}`} mailbox={mailbox} />}
      {mailbox && canManage && <AliasesCard key={mailbox._id} mailbox={mailbox} />}
    </div>
  )
}

/** Each part where it will be. */
function LoadingSettings() {
  return (
    <div role="status">
      <span className="sr-only">Loading the mailbox</span>
      <div className="border-line border-b p-2 sm:px-4">
        <Skeleton className="h-11 w-64 max-w-full" />
      </div>
      <div className="grid gap-5 p-5">
        <Skeleton className="h-6 w-72 max-w-full" />
        <div className="grid gap-4 sm:grid-cols-2">
          <LoadingField className="h-10" />
          <LoadingField className="h-10" />
        </div>
        <LoadingField className="h-76" />
      </div>
    </div>
  )
}

function LoadingField({ className }: { className: string }) {
  return (
    <div className="grid gap-1.5">
      <Skeleton className="h-5 w-20" />
      <Skeleton className={className} />
    </div>
  )
}
