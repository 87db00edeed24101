/** Where backups go, how old the last one is, and which there are; one more, and whether the newest is whole. */
import { Archive, SearchCheck } from 'lucide-react'
import {
  askForBackup,
  type BackupsPage,
  getBackups,
  listKeptBackups,
  type MadeBackup,
} from '#contract/operator/backups.ts'
import type { Output } from '#contract/route.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { formatBytes, formatCount, formatMoment } from '#web/lib/format.ts'
import { toastError } from '#web/lib/toast-store.ts'
import { Badge } from '#web/ui/data/badge.tsx'
import { Card } from '#web/ui/data/card.tsx'
import { Ago, LocalTime } from '#web/ui/data/local-time.tsx'
import type { Column } from '#web/ui/data/table-model.ts'
import { Button } from '#web/ui/form/button.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { type Fact, Facts, Part } from '../page-parts.tsx'

const [BUSY_MS, IDLE_MS] = [2_000, 30_000]

export function BackupsPart() {
  const { data, error, refetch } = useApi(
    getBackups,
    {},
    { refetchInterval: ({ state }) => (state.data && isBusy(state.data) ? BUSY_MS : IDLE_MS) },
  )
  if (data)
    return (
      <>
        <Facts title="Backups" facts={factsOf(data)} />
        {data.place !== null && <Asking backups={data} />}
        {/* Another backup makes another list. */}
        {data.place !== null && <Kept key={data.lastWhole?._id} />}
        <Part
          title="Backups that were tried"
          rows={data.made}
          columns={madeColumns}
          id={({ _id }) => _id}
          none="None yet."
        />
      </>
    )
  if (!error) return <Skeleton className="h-64 w-full rounded-card" />
  return (
    <Card>
      <ErrorState
        title="Error loading the backups"
        description={error.message}
        onRetry={() => void refetch()}
      />
    </Card>
  )
}

const isUnderWay = ({ made }: BackupsPage) => made[0] !== undefined && made[0].endedAt === null
const isVerifying = ({ verification }: BackupsPage) =>
  verification !== null && verification.endedAt === null
const isBusy = (backups: BackupsPage) =>
  backups.isAsked || isUnderWay(backups) || isVerifying(backups)

const factsOf = ({ place, lastWhole, nextAt }: BackupsPage): Fact[] => {
  if (place === null)
    return [['Place', 'BACKUP_URL is not set: no backup is made, and all is lost with this disk.']]
  return [
    ['Place', place],
    ['Last whole backup', lastWhole ? <Ago key="last" at={lastWhole.startedAt} /> : 'None yet'],
    ['Size of the last backup', lastWhole ? formatBytes(lastWhole.writtenBytes) : 'Nothing yet'],
    ['In the last backup', lastWhole ? holds(lastWhole) : 'Nothing yet'],
    [
      'Next',
      nextAt === null ? 'Never' : <LocalTime key="next" at={nextAt} format={formatMoment} />,
    ],
  ]
}

const holds = ({ rows, blobs }: { rows: number; blobs: number }): string =>
  `${formatCount(rows)} rows, ${formatCount(blobs)} messages and files`

function Asking({ backups }: { backups: BackupsPage }) {
  const { verification } = backups
  const ask = useCall(askForBackup, { onError: (error) => toastError(messageOf(error)) })
  const isBackingUp = backups.isAsked || isUnderWay(backups)
  return (
    <Card className="grid gap-3 p-5 text-sm">
      <div className="flex flex-wrap gap-2">
        <Button isPending={isBackingUp} onClick={() => ask.mutate({ body: { what: 'backup' } })}>
          {!isBackingUp && <Archive aria-hidden />}
          Back up now
        </Button>
        <Button
          variant="secondary"
          isPending={isVerifying(backups)}
          onClick={() => ask.mutate({ body: { what: 'verify' } })}
        >
          {!isVerifying(backups) && <SearchCheck aria-hidden />}
          Verify the newest
        </Button>
      </div>
      <div role="status" className="grid gap-1">
        {isUnderWay(backups) && (
          <p>
            A backup is under way, since <Ago at={backups.made[0]?.startedAt ?? ''} />.
          </p>
        )}
        {backups.isAsked && !isUnderWay(backups) && (
          <p>A worker begins the backup within a minute.</p>
        )}
        {isVerifying(backups) && <p>The newest backup is read, as soon as a worker is free.</p>}
        {verification?.endedAt != null && (
          <p className={verification.isWhole ? 'text-good' : 'wrap-anywhere text-bad'}>
            {verification.says} <Ago at={verification.endedAt} />
          </p>
        )}
      </div>
    </Card>
  )
}

function Kept() {
  // It asks the place itself, which may be far away and slow: once for each visit.
  const { data, error } = useApi(
    listKeptBackups,
    {},
    {
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnMount: 'always',
      refetchOnWindowFocus: false,
      retry: false,
    },
  )
  const trouble = error?.message ?? data?.trouble ?? ''
  return (
    <Part
      title="Backups that are kept"
      rows={data?.items ?? []}
      columns={keptColumns}
      id={({ id }) => id}
      none={data || error ? trouble || 'None yet.' : 'Looking...'}
    />
  )
}

const keptColumns: readonly Column<Output<typeof listKeptBackups>['items'][number]>[] = [
  {
    id: 'at',
    header: 'Backup',
    className: 'w-full max-w-0',
    cell: ({ id, at }) => (
      <span className="grid">
        <LocalTime at={at} format={formatMoment} />
        <span className="text-soft text-xs">{id}</span>
      </span>
    ),
  },
  {
    id: 'holds',
    header: 'Holds',
    align: 'right',
    className: 'w-1/2 tabular-nums',
    cell: (kept) => holds(kept),
  },
]

const madeColumns: readonly Column<MadeBackup>[] = [
  {
    id: 'at',
    header: 'Begun',
    className: 'w-full max-w-0',
    cell: ({ startedAt, place, error }) => (
      <span className="grid">
        <LocalTime at={startedAt} format={formatMoment} />
        <span className="wrap-anywhere text-soft text-xs">{error || place}</span>
      </span>
    ),
  },
  {
    id: 'state',
    header: 'State',
    className: 'w-px whitespace-nowrap',
    cell: ({ endedAt, snapshot }) => {
      if (snapshot !== null) return <Badge tone="good">Whole</Badge>
      return endedAt === null ? (
        <Badge tone="neutral">Under way</Badge>
      ) : (
        <Badge tone="bad">Failed</Badge>
      )
    },
  },
  {
    id: 'size',
    header: 'Added',
    align: 'right',
    className: 'w-px whitespace-nowrap tabular-nums',
    cell: ({ writtenBytes }) => formatBytes(writtenBytes),
  },
]
