import { type Invitation, listInvitations } from '#contract/workspace/invitations.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { formatAgo, formatMoment } from '#web/lib/format.ts'
import { useNow } from '#web/lib/time/use-now.ts'
import { Badge } from '#web/ui/data/badge.tsx'
import { Card } from '#web/ui/data/card.tsx'
import { DataTable } from '#web/ui/data/data-table.tsx'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import type { Column } from '#web/ui/data/table-model.ts'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/skeleton.tsx'
import { InvitationMenu } from './invitation-menu.tsx'
import { roleTones } from './role-tones.ts'

/** Who is invited and has not answered yet. */
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
    cell: ({ sentAt }) => <Moment at={sentAt} />,
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
        Sent <Moment at={sentAt} />, expires <Expiry at={expiresAt} />
      </span>
    </div>
  )
}

function Moment({ at }: { at: string }) {
  const now = useNow(30_000)
  return (
    <LocalTime
      at={at}
      format={() => formatAgo(at, Math.max(now, new Date(at).getTime()))}
      title={formatMoment}
    />
  )
}

function Expiry({ at }: { at: string }) {
  const now = useNow(30_000)
  return (
    <LocalTime
      at={at}
      format={() => formatAgo(at, now)}
      title={formatMoment}
      className={isOver(at, now) ? 'text-bad' : ''}
    />
  )
}

const isOver = (at: string, now: number): boolean => new Date(at).getTime() <= now
