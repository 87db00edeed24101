/** How much storage the mail takes, and in which folders. */
import { getStorage, type Storage } from '#contract/mail/mailbox-settings.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { formatBytes, formatCount, isNearlyFull } from '#web/lib/format.ts'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { Progress } from '#web/ui/data/progress.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'

export function StorageCard({ mailbox }: { mailbox: Mailbox }) {
  const { data, isError, error, refetch } = useApi(getStorage, { params: { id: mailbox._id } })
  return (
    <Card>
      <CardHeader
        title="Storage"
        description="How much storage the mail of this mailbox and its workspace uses"
      />
      {isError && !data ? (
        <ErrorState
          title="The storage could not be loaded"
          description={error.message}
          onRetry={() => void refetch()}
          className="py-8"
        />
      ) : data ? (
        <Used storage={data} />
      ) : (
        <div role="status" className="grid gap-5 px-5 pb-5">
          <span className="sr-only">Loading the storage</span>
          <Skeleton className="h-8 w-full" />
          <Skeleton className="h-48 w-full" />
        </div>
      )}
    </Card>
  )
}

function Used({ storage }: { storage: Storage }) {
  const { usedBytes, workspaceBytes, quotaBytes, folders } = storage
  const percent = quotaBytes === 0 ? 100 : (100 * workspaceBytes) / quotaBytes
  const [largest] = folders
  const filled = folders.filter(({ bytes }) => bytes > 0)
  return (
    <div className="grid gap-5 px-5 pb-5">
      <div className="grid gap-2.5">
        <Amount title="This mailbox" amount={formatBytes(usedBytes)} />
        {filled.length === 0 && <p className="text-soft text-sm">It has no mail yet.</p>}
        <ul aria-label="Folders, largest first" className="grid gap-2.5 empty:hidden">
          {filled.map(({ _id, name, bytes, messages }) => (
            <li
              key={_id}
              className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-3 text-sm"
            >
              <span className="truncate">{name}</span>
              <span className="text-soft tabular-nums">
                {formatCount(messages)} {messages === 1 ? 'message' : 'messages'},{' '}
                {formatBytes(bytes)}
              </span>
              <span
                aria-hidden
                className="col-span-2 mt-1 h-1 overflow-hidden rounded-full bg-hover"
              >
                <span
                  className="block h-full rounded-full bg-accent"
                  style={{ width: `${(100 * bytes) / (largest?.bytes ?? bytes)}%` }}
                />
              </span>
            </li>
          ))}
        </ul>
      </div>
      <div className="grid gap-1.5">
        <Amount
          title="All mailboxes of the workspace"
          amount={`${formatBytes(workspaceBytes)} of ${formatBytes(quotaBytes)}`}
        />
        <Progress
          label="Storage of the workspace"
          percent={percent}
          tone={isNearlyFull(percent) ? 'bad' : 'accent'}
        />
        {isNearlyFull(percent) && (
          <p className="text-bad text-xs">
            The workspace is nearly full. When it is, mail is refused until something is deleted for
            good.
          </p>
        )}
      </div>
    </div>
  )
}

function Amount({ title, amount }: { title: string; amount: string }) {
  return (
    <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-sm">
      <span className="font-medium">{title}</span>
      <span className="text-soft tabular-nums">{amount}</span>
    </p>
  )
}
