import { EllipsisVertical, RotateCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { RESEND_COOLDOWN_SECONDS } from '#contract/auth.ts'
import {
  type Invitation,
  listInvitations,
  resendInvitation,
  revokeInvitation,
} from '#contract/invitations.ts'
import { type ApiError, messageOf } from '#web/lib/api/api-error.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { useNow, useSecondsUntil } from '#web/lib/time/use-now.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { Badge } from '#web/ui/data/badge.tsx'
import { Card } from '#web/ui/data/card.tsx'
import { DataTable } from '#web/ui/data/data-table.tsx'
import { Ago } from '#web/ui/data/local-time.tsx'
import type { Column } from '#web/ui/data/table-model.ts'
import { Button } from '#web/ui/form/button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { DropdownMenu, MenuItem } from '#web/ui/overlay/dropdown-menu.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { roleTones } from './member-table.tsx'

/** Invitations that were not answered yet. */
export function InvitationList() {
  const invitations = useApi(listInvitations, {})
  const rows = invitations.data
  return (
    <Card className="@container overflow-hidden">
      <header className="grid gap-0.5 px-5 py-3.5">
        <h2 aria-live="polite" className="font-semibold text-sm tabular-nums">
          {rows ? `Open invitations: ${rows.length}` : 'Open invitations'}
        </h2>
        {rows?.length === 0 && (
          <p className="text-soft text-sm">
            People whom you invite are listed here until they answer.
          </p>
        )}
        {invitations.isPending && <Skeleton className="h-5 w-72 max-w-full" />}
      </header>
      {invitations.isError && !rows && (
        <ErrorState
          title="Error loading the invitations"
          description={invitations.error.message}
          onRetry={() => invitations.refetch()}
          className="pt-4"
        />
      )}
      {rows && rows.length > 0 && (
        <DataTable
          label="Open invitations"
          rows={rows}
          columns={columns}
          getRowId={({ _id }) => _id}
          bodyMaxHeight="24rem"
          className="border-line border-t"
          empty={null}
        />
      )}
    </Card>
  )
}

/** `onDone`: called when the invitation is revoked, or one of the calls failed. */
function useInvitationCalls(email: string, onDone: () => void) {
  const onError = (error: ApiError) => {
    onDone()
    toastError(messageOf(error))
  }
  const resend = useCall(resendInvitation, {
    onSuccess: () => {
      toast({ title: 'Invitation sent again', description: `To ${email}`, variant: 'success' })
    },
    onError,
  })
  const revoke = useCall(revokeInvitation, {
    onSuccess: () => {
      onDone()
      toast({ title: 'Invitation revoked', description: email, variant: 'success' })
    },
    onError,
  })
  return { resend, revoke }
}

/** Sends an invitation again, at most every 30 seconds, or withdraws it. */
export function InvitationMenu({ invitation }: { invitation: Invitation }) {
  const { _id: id, email, sentAt } = invitation
  const [isAsking, setIsAsking] = useState(false)
  const mayResendAt = new Date(sentAt).getTime() + RESEND_COOLDOWN_SECONDS * 1000
  const secondsLeft = useSecondsUntil(mayResendAt, RESEND_COOLDOWN_SECONDS)
  const { resend, revoke } = useInvitationCalls(email, () => setIsAsking(false))
  return (
    <>
      <DropdownMenu
        trigger={
          <Button
            variant="quiet"
            size="iconSmall"
            aria-label={`Actions for ${email}`}
            isPending={resend.isPending}
          >
            {!resend.isPending && <EllipsisVertical aria-hidden />}
          </Button>
        }
      >
        <MenuItem
          disabled={secondsLeft > 0}
          className="tabular-nums"
          onSelect={() => resend.mutate({ params: { id } })}
        >
          <RotateCw aria-hidden />
          {secondsLeft > 0 ? `Resend in ${secondsLeft}s` : 'Resend invitation'}
        </MenuItem>
        <MenuItem isDangerous onSelect={() => setIsAsking(true)}>
          <Trash2 aria-hidden />
          Revoke invitation
        </MenuItem>
      </DropdownMenu>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={(isOpen) => !isOpen && !revoke.isPending && setIsAsking(false)}
        title={`Revoke the invitation of ${email}?`}
        description="The links that were mailed to them stop working. You can invite them again."
        confirmText={revoke.isPending ? 'Revoking...' : 'Revoke'}
        isPending={revoke.isPending}
        onConfirm={() => revoke.mutate({ params: { id } })}
      />
    </>
  )
}

const columns: readonly Column<Invitation>[] = [
  {
    id: 'email',
    header: 'Email',
    value: ({ email }) => email,
    isSortable: true,
    className: 'w-full max-w-0',
    cell: (invitation) => <Invited invitation={invitation} />,
  },
  {
    id: 'role',
    header: 'Role',
    value: ({ role }) => role,
    isSortable: true,
    cell: ({ role }) => <Badge tone={roleTones[role]}>{role}</Badge>,
  },
  {
    id: 'sent',
    header: 'Sent',
    value: ({ sentAt }) => sentAt,
    isSortable: true,
    className: 'whitespace-nowrap @max-2xl:hidden',
    cell: ({ sentAt }) => <Ago at={sentAt} />,
  },
  {
    id: 'expires',
    header: 'Expires',
    value: ({ expiresAt }) => expiresAt,
    isSortable: true,
    className: 'whitespace-nowrap @max-2xl:hidden',
    cell: ({ expiresAt }) => <Expiry at={expiresAt} />,
  },
  {
    id: 'actions',
    header: 'Actions',
    isHeaderHidden: true,
    className: 'w-px',
    cell: (invitation) => <InvitationMenu invitation={invitation} />,
  },
]

function Invited({ invitation: { email, sentAt, expiresAt } }: { invitation: Invitation }) {
  return (
    <div className="grid min-w-0">
      <span className="truncate font-medium" title={email}>
        {email}
      </span>
      <span className="wrap-anywhere text-soft text-xs @2xl:hidden">
        Sent <Ago at={sentAt} />, expires <Expiry at={expiresAt} />
      </span>
    </div>
  )
}

function Expiry({ at }: { at: string }) {
  const now = useNow(30_000)
  return <Ago at={at} mayCome className={isOver(at, now) ? 'text-bad' : ''} />
}

const isOver = (at: string, now: number): boolean => new Date(at).getTime() <= now
