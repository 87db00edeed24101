/** How much a mailbox has sent of its limits, and what stopped its sending. */
import { getSending, type Sending } from '#contract/mail/sending.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { formatCount, formatMoment } from '#web/lib/format.ts'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import { Progress } from '#web/ui/data/progress.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { StopAlert } from './stop-alert.tsx'

export function SendingCard({ mailbox }: { mailbox: Mailbox }) {
  const { data, isError, error, refetch } = useApi(getSending, { params: { id: mailbox._id } })
  return (
    <Card className="max-w-3xl">
      <CardHeader
        title="Sending"
        description="To recipients outside this workspace, in the last 24 hours"
      />
      {isError && !data ? (
        <ErrorState
          title="The sending limits could not be loaded"
          description={error.message}
          onRetry={() => void refetch()}
        />
      ) : (
        <div className="grid gap-4 px-5 pb-5">
          {data?.stopped && <StopAlert mailbox={mailbox} stop={data.stopped} />}
          {data ? <Used sending={data} /> : <LoadingUse />}
        </div>
      )}
    </Card>
  )
}

function Used({ sending }: { sending: Sending }) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2 sm:gap-6">
        <Bar label="Recipients" used={sending.usedToday} limit={sending.dailyLimit} />
        <Bar
          label="New recipients, never written to before"
          used={sending.newToday}
          limit={sending.newRecipientLimit}
        />
      </div>
      <Ramp sending={sending} />
    </>
  )
}

function Bar({ label, used, limit }: { label: string; used: number; limit: number | null }) {
  return (
    <div className="grid content-start gap-1.5">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-sm">
        <span className="font-medium">{label}</span>
        <span className="text-soft tabular-nums">
          {limit === null
            ? `${formatCount(used)}, no limit`
            : `${formatCount(used)} of ${formatCount(limit)}`}
        </span>
      </p>
      {limit !== null && (
        <Progress
          label={label}
          percent={(100 * used) / limit}
          tone={used >= limit ? 'bad' : 'accent'}
        />
      )}
    </div>
  )
}

/** Why the limits of a new workspace are low, and until when. */
function Ramp({ sending: { fullAt, together } }: { sending: Sending }) {
  if (fullAt === null || together === null) return null
  const shared = [
    together.dailyLimit !== null &&
      `${formatCount(together.dailyLimit)} recipients (${formatCount(together.usedToday)} used)`,
    together.newRecipientLimit !== null &&
      `${formatCount(together.newRecipientLimit)} new ones (${formatCount(together.newToday)} used)`,
  ].filter((part) => part !== false)
  return (
    <p className="rounded-xl bg-hover px-3.5 py-3 text-soft text-sm">
      This workspace is new, and other servers do not know it yet. Its limits double each day until{' '}
      <LocalTime at={fullAt} format={formatMoment} />. Until then its mailboxes together may write
      to {shared.join(', and to ')}.
    </p>
  )
}

function LoadingUse() {
  return (
    <div role="status" className="grid gap-4 sm:grid-cols-2 sm:gap-6">
      <span className="sr-only">Loading the sending limits</span>
      <Skeleton className="h-8" />
      <Skeleton className="h-8" />
    </div>
  )
}
