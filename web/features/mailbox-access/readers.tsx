/** In the settings of a mailbox, mainly for its holder and its readers: who else reads it, and the access log. */

import { UserMinus } from 'lucide-react'
import { Link } from 'react-router'
import {
  getAccess,
  type MailboxAccess,
  type MailboxReader,
  takeMailboxBack,
} from '#contract/mail/access.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { useHolder, useMay } from '#web/lib/api/use-can.ts'
import { formatMoment } from '#web/lib/format.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { HOLDERS_PASSWORD, paths } from '#web/paths.ts'
import { Avatar } from '#web/ui/data/avatar.tsx'
import { Badge } from '#web/ui/data/badge.tsx'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { Ago } from '#web/ui/data/local-time.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { AccessLog, reasonOf } from './access-log.tsx'
import { GiveForm } from './give-form.tsx'

export function ReadersSection({ mailbox }: { mailbox: Mailbox }) {
  const isHolder = useHolder() !== null
  const canManage = useMay('see-mailboxes')
  // Members who manage mailboxes have a page for this.
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

/** Members who may read and write mail of a mailbox. */
export function ReadersCard({ mailbox, access }: { mailbox: Mailbox; access: MailboxAccess }) {
  const canGive = useMay('give-mailboxes')
  const { readers } = access
  return (
    <Card className="max-w-3xl">
      <CardHeader
        title="Who reads it"
        description="These people can read its mail. No other person can, whatever their role."
      />
      <div className="grid gap-5 px-5 pb-5">
        {readers.length === 0 ? (
          <p className="text-soft text-sm">This mailbox has no reader. Its mail is kept.</p>
        ) : (
          <ul
            aria-label="Who reads it"
            className="grid divide-y divide-line rounded-card border border-line"
          >
            {readers.map((reader) => (
              <ReaderRow key={reader._id} mailbox={mailbox} reader={reader} canGive={canGive} />
            ))}
          </ul>
        )}
        {canGive && <GiveForm mailbox={mailbox} readers={readers} />}
      </div>
    </Card>
  )
}

type ReaderRowProps = { mailbox: Mailbox; reader: MailboxReader; canGive: boolean }

export function ReaderRow({ mailbox, reader, canGive }: ReaderRowProps) {
  const { _id: userId, name, email, isYou, how, since, endsAt, canSend } = reader
  const isHolder = how === 'holder'
  const canEnd = !isHolder && (canGive || isYou)
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
      <Avatar name={name} src={null} className="max-sm:hidden" />
      <div className="grid min-w-0 flex-1 basis-40">
        <p className="wrap-anywhere font-medium text-sm">
          <span dir="auto">{name || email}</span>
          {isYou && <span className="font-normal text-soft"> (you)</span>}
        </p>
        <p className="wrap-anywhere text-soft text-xs">
          {email}, <Ago at={since} />
          {endsAt && `, until ${formatMoment(endsAt)}`}
          {!canSend && ', only reads'}
        </p>
      </div>
      <Badge tone={isHolder ? 'accent' : how === 'taken' ? 'warn' : 'neutral'}>
        {reasonOf[how]}
      </Badge>
      {canEnd && <EndButton mailbox={mailbox} userId={userId} name={name || email} isYou={isYou} />}
    </li>
  )
}

type EndButtonProps = { mailbox: Mailbox; userId: string; name: string; isYou: boolean }

/** No confirmation, because the right can be given again. */
function EndButton({ mailbox, userId, name, isYou }: EndButtonProps) {
  const end = useCall(takeMailboxBack, {
    onSuccess: () => {
      const title = isYou ? 'You read it no longer' : 'Right to read ended'
      const description = isYou ? mailbox.email : `${name} no longer reads ${mailbox.email}.`
      toast({ title, description, variant: 'success' })
    },
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <Button
      variant="quiet"
      size="small"
      aria-label={isYou ? 'Stop reading this mailbox' : `End the right of ${name} to read`}
      isPending={end.isPending}
      onClick={() => end.mutate({ params: { id: mailbox._id, userId } })}
    >
      {!end.isPending && <UserMinus aria-hidden />}
      {isYou ? 'Stop reading' : 'End'}
    </Button>
  )
}
