/** In the settings of a mailbox, for whoever reads it and its holder above all: who else does, and what was written down. */
import { Link } from 'react-router'
import { getAccess } from '#contract/mail/access.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useHolder, useMay } from '#web/lib/api/use-can.ts'
import { HOLDERS_PASSWORD, paths } from '#web/paths.ts'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/skeleton.tsx'
import { AccessLog } from './access-log.tsx'
import { ReadersCard } from './readers/readers-card.tsx'

export function ReadersSection({ mailbox }: { mailbox: Mailbox }) {
  const isHolder = useHolder() !== null
  const canManage = useMay('see-mailboxes')
  // Where members manage it there is a page of its own.
  const access = useApi(getAccess, { params: { id: mailbox._id } }, { enabled: !canManage })
  if (canManage)
    return (
      <Card className="max-w-3xl">
        <CardHeader
          title="Access"
          description="Who signs in with this address, who reads the mail, and the access log"
          aside={
            <Button asChild variant="secondary">
              <Link to={paths.access({ mailbox: mailbox._id })}>Open access</Link>
            </Button>
          }
        />
      </Card>
    )
  return (
    <div className="grid gap-6">
      {isHolder && (
        <Card className="max-w-3xl">
          <CardHeader
            title="Your password"
            description="You log in with the address of this mailbox and this password"
            aside={
              <Button asChild variant="secondary">
                <Link to={{ hash: HOLDERS_PASSWORD }}>Change password</Link>
              </Button>
            }
          />
        </Card>
      )}
      {access.data ? (
        <>
          <ReadersCard mailbox={mailbox} access={access.data} />
          <AccessLog mailboxId={mailbox._id} />
        </>
      ) : access.error?.type === 'FORBIDDEN' ? null : access.isError ? (
        <Card className="max-w-3xl">
          <ErrorState
            title="Who has access could not be loaded"
            description={access.error.message}
            onRetry={() => void access.refetch()}
            className="py-8"
          />
        </Card>
      ) : (
        <div role="status">
          <span className="sr-only">Loading who has access</span>
          <Skeleton className="h-56 w-full max-w-3xl rounded-card" />
        </div>
      )}
    </div>
  )
}
