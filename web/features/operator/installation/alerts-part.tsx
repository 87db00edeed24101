/** What is wrong now, where alerts go, and which there were. */
import { BellRing } from 'lucide-react'
import { useState } from 'react'
import { type AlertsPage, getAlerts, sendTestAlert } from '#contract/operator/alerts.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { formatMoment } from '#web/lib/format.ts'
import { toastError } from '#web/lib/toast-store.ts'
import { Badge } from '#web/ui/data/badge.tsx'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import type { Column } from '#web/ui/data/table-model.ts'
import { Button } from '#web/ui/form/button.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { Part } from '../page-parts.tsx'

const REFRESH_MS = 15_000

export function AlertsPart() {
  const { data, error, refetch } = useApi(getAlerts, {}, { refetchInterval: REFRESH_MS })
  if (data)
    return (
      <>
        <Firing alerts={data} />
        <Part
          title="The last alerts"
          rows={data.news}
          columns={newsColumns}
          id={({ _id }) => _id}
          none="No alert yet."
        />
      </>
    )
  if (!error) return <Skeleton className="h-64 w-full rounded-card" />
  return (
    <Card>
      <ErrorState
        title="Error loading the alerts"
        description={error.message}
        onRetry={() => void refetch()}
      />
    </Card>
  )
}

function Firing({ alerts }: { alerts: AlertsPage }) {
  const { firing, conditions } = alerts
  const mend = new Map(conditions.map((each) => [each.name, each.mend]))
  return (
    <Card className="overflow-hidden">
      <CardHeader
        title={firing.length === 0 ? 'Nothing is wrong' : 'Wrong now'}
        description={`Watched: ${conditions.map(({ name }) => name).join(', ')}`}
      />
      {firing.length > 0 && (
        <ul aria-label="Wrong now">
          {firing.map(({ name, since, isTold, sentence }) => (
            <li key={name} className="grid gap-1 border-line border-t px-5 py-4 text-sm">
              <span className="flex flex-wrap items-center gap-2">
                <Badge tone={isTold ? 'bad' : 'warn'}>{name}</Badge>
                <span className="text-soft text-xs">
                  since <LocalTime at={since} format={formatMoment} />
                  {!isTold && ', told when it lasts'}
                </span>
              </span>
              <span className="wrap-anywhere font-medium">{sentence}</span>
              <span className="wrap-anywhere text-soft">{mend.get(name)}</span>
            </li>
          ))}
        </ul>
      )}
      <Ways alerts={alerts} />
    </Card>
  )
}

function Ways({ alerts: { ways } }: { alerts: AlertsPage }) {
  const [results, setResults] = useState<readonly string[]>([])
  const test = useCall(sendTestAlert, {
    onSuccess: ({ tried }) =>
      setResults(
        tried.map(({ setting, why }) =>
          why === null ? `${setting} took the test.` : `${setting} did not take it: ${why}`,
        ),
      ),
    onError: (error) => toastError(messageOf(error)),
  })
  const isSet = ways.some(({ to }) => to !== null)
  return (
    <div className="grid gap-3 border-line border-t px-5 py-4 text-sm">
      <ul aria-label="Where alerts go" className="grid gap-1">
        {ways.map(({ setting, to }) => (
          <li key={setting} className="wrap-anywhere">
            <span className="font-medium">{setting}</span>:{' '}
            {to === null ? 'not set' : `goes to ${to}`}
          </li>
        ))}
      </ul>
      {isSet ? (
        <Button
          variant="secondary"
          className="justify-self-start"
          isPending={test.isPending}
          onClick={() => test.mutate({})}
        >
          {!test.isPending && <BellRing aria-hidden />}
          {test.isPending ? 'Sending...' : 'Send a test alert'}
        </Button>
      ) : (
        <p className="text-soft">Alerts are only logged. Set one of these, or both.</p>
      )}
      <div role="status" className="grid gap-1">
        {results.map((result) => (
          <p key={result} className="wrap-anywhere">
            {result}
          </p>
        ))}
      </div>
    </div>
  )
}

const newsColumns: readonly Column<AlertsPage['news'][number]>[] = [
  {
    id: 'at',
    header: 'When',
    className: 'w-px whitespace-nowrap tabular-nums @max-xl:hidden',
    cell: ({ at }) => <LocalTime at={at} format={formatMoment} />,
  },
  {
    id: 'what',
    header: 'Alert',
    className: 'w-full max-w-0',
    cell: ({ at, name, news, sentence }) => (
      <span className="grid gap-0.5">
        <span className="wrap-anywhere">
          <span className="font-medium">{name}</span> {news === 'begun' ? 'began' : 'ended'}
        </span>
        <span className="wrap-anywhere text-soft text-xs">{sentence}</span>
        <span className="@xl:hidden text-soft text-xs">
          <LocalTime at={at} format={formatMoment} />
        </span>
      </span>
    ),
  },
]
