/** Access to a mailbox: who signs in with its address, who reads it, and the log of changes. */
import { ArrowLeft, Lock } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import { getAccess } from '#contract/mail/access.ts'
import { getMailbox, type Mailbox } from '#contract/mailboxes.ts'
import { memberCan } from '#contract/rights.ts'
import type { LoadPage } from '#web/lib/api/first-view.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useIsRoleKnown, useRole } from '#web/lib/api/use-can.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { paths } from '#web/paths.ts'
import { cn } from '#web/ui/cn.ts'
import { Card } from '#web/ui/data/card.tsx'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { AccessLog } from './access-log.tsx'
import { ReadersCard } from './readers.tsx'
import { SignInCard } from './sign-in-card.tsx'

export function AccessPage() {
  usePageTitle('Access')
  const [query] = useSearchParams()
  const id = query.get('mailbox')
  const role = useRole()
  const isAllowed = role === undefined || memberCan(role, id ? 'see-mailboxes' : 'give-mailboxes')
  const isRoleKnown = useIsRoleKnown()
  const mailbox = useApi(
    getMailbox,
    { params: { id: id ?? '' } },
    { enabled: id !== null && isAllowed && isRoleKnown },
  )
  return (
    <div className={cn('grid gap-6', id && 'max-w-3xl')}>
      <PageHeading
        title="Access"
        subtitle={
          id
            ? (mailbox.data?.email ?? 'Who signs in to a mailbox, and who reads it')
            : 'Who got access to the mailboxes of this workspace, and from whom'
        }
        actions={
          <Button asChild variant="secondary">
            <Link to={id ? paths.mailboxes() : paths.settings({ tab: 'users' })}>
              <ArrowLeft aria-hidden />
              {id ? 'Mailboxes' : 'Settings'}
            </Link>
          </Button>
        }
      />
      {!isAllowed ? (
        <NotForYou />
      ) : id === null ? (
        <AccessLog mailboxId={null} />
      ) : mailbox.data ? (
        <MailboxAccess key={id} mailbox={mailbox.data} />
      ) : mailbox.isError ? (
        <Card>
          <ErrorState
            title="The mailbox could not be loaded"
            description={mailbox.error.message}
            onRetry={() => void mailbox.refetch()}
          />
        </Card>
      ) : (
        <LoadingAccess />
      )}
    </div>
  )
}

export const loadAccess: LoadPage = async ({ ask, query }) => {
  const id = query.get('mailbox')
  const own = { params: { id: id ?? '' } }
  if (id) await Promise.all([ask(getMailbox, own), ask(getAccess, own)])
}

export function NotForYou() {
  return (
    <Card>
      <EmptyState
        icon={Lock}
        title="You are not allowed to see this"
        description="Ask an Admin of the workspace if the access to a mailbox needs to change."
        action={
          <Button variant="secondary" asChild>
            <Link to={paths.viewMail()}>Go to your mail</Link>
          </Button>
        }
      />
    </Card>
  )
}

function MailboxAccess({ mailbox }: { mailbox: Mailbox }) {
  const access = useApi(getAccess, { params: { id: mailbox._id } })
  if (access.isError && !access.data)
    return (
      <Card>
        <ErrorState
          title="Who has access could not be loaded"
          description={access.error.message}
          onRetry={() => void access.refetch()}
        />
      </Card>
    )
  if (!access.data) return <LoadingAccess />
  return (
    <>
      <SignInCard mailbox={mailbox} access={access.data} />
      <ReadersCard mailbox={mailbox} access={access.data} />
      <AccessLog mailboxId={mailbox._id} />
    </>
  )
}

function LoadingAccess() {
  return (
    <div role="status" className="grid gap-6">
      <span className="sr-only">Loading who has access</span>
      <Skeleton className="h-44 w-full max-w-3xl rounded-card" />
      <Skeleton className="h-56 w-full max-w-3xl rounded-card" />
    </div>
  )
}
