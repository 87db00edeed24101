import type { ReactNode } from 'react'
import { type ApiKey, type KeyCall, listKeyCalls } from '#contract/developers/api-keys.ts'
import { listDomains } from '#contract/domains.ts'
import { listMailboxes } from '#contract/mailboxes.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useHolder, useMay } from '#web/lib/api/use-can.ts'
import { formatMoment } from '#web/lib/format.ts'
import { formatEnd } from '#web/lib/time/end-of-day.ts'
import { Badge } from '#web/ui/data/badge.tsx'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { LastUse } from './key-row.tsx'
import { holdersScopeGroups, reachText, scopeGroups } from './scope-words.ts'
import { useIsOver } from './use-is-over.ts'

export function FactsCard({ apiKey }: { apiKey: ApiKey }) {
  const { ending, createdAt, expiresAt, madeBy, ips } = apiKey
  const isOver = useIsOver(apiKey)
  const isHolder = useHolder() !== null
  return (
    <Card>
      <dl className="grid gap-x-6 gap-y-4 px-5 py-5 text-sm sm:grid-cols-[10rem_minmax(0,1fr)]">
        <Fact name="Key">
          <span className="font-mono text-xs">…{ending}</span>{' '}
          {isOver && <Badge tone="warn">Expired</Badge>}
        </Fact>
        <Fact name="May">
          <Scopes apiKey={apiKey} />
        </Fact>
        <Fact name="Reaches">
          <Reached apiKey={apiKey} />
        </Fact>
        <Fact name="Used from">{ips.length === 0 ? 'Any network' : ips.join(', ')}</Fact>
        <Fact name="Ends">
          {expiresAt === null ? (
            'When it is ended'
          ) : (
            <LocalTime
              at={expiresAt}
              format={formatEnd}
              className="inline-block first-letter:uppercase"
            />
          )}
        </Fact>
        <Fact name="Last use">
          <LastUse apiKey={apiKey} />
        </Fact>
        <Fact name="Made">
          <LocalTime at={createdAt} format={formatMoment} /> by {madeBy.isYou ? 'you' : madeBy.name}
          . It acts as {madeBy.isYou ? 'you' : madeBy.name}, and ends with{' '}
          {isHolder ? 'your access' : 'the membership or the role'}.
        </Fact>
      </dl>
    </Card>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="wrap-anywhere min-w-0 max-sm:-mt-3">{children}</dd>
    </>
  )
}

function Scopes({ apiKey: { scopes } }: { apiKey: ApiKey }) {
  const all = useHolder() === null ? scopeGroups : holdersScopeGroups
  const groups = all.map((group) => ({
    ...{ ...group, scopes: group.scopes.filter(({ scope }) => scopes.includes(scope)) },
  }))
  return (
    <ul className="grid gap-1">
      {groups
        .flatMap((group) => group.scopes)
        .map(({ scope, words }) => (
          <li key={scope} className="flex flex-wrap items-baseline gap-x-2">
            {words}
            <code className="text-soft text-xs">{scope}</code>
          </li>
        ))}
    </ul>
  )
}

/** By name, as far as the reader of the page sees them. */
function Reached({ apiKey }: { apiKey: ApiKey }) {
  const { domains, mailboxes } = apiKey
  const isHolder = useHolder() !== null
  const seesDomains = useMay('see-domains')
  const all = useApi(listDomains, {}, { enabled: domains !== null && seesDomains })
  const boxes = useApi(listMailboxes, { query: { limit: 200 } }, { enabled: mailboxes !== null })
  const names = [
    ...(all.data ?? []).filter(({ _id }) => domains?.includes(_id)).map((each) => each.unicodeName),
    ...(boxes.data?.items ?? [])
      .filter(({ _id }) => mailboxes?.includes(_id))
      .map(({ email }) => email),
  ]
  if (isHolder) return <>Your mailbox</>
  return (
    <>
      {reachText(apiKey)}
      {names.length > 0 && `: ${names.join(', ')}`}
    </>
  )
}

/** Every call, as a developer writes it. */
export function CallsCard({ id }: { id: string }) {
  const calls = useApi(listKeyCalls, { params: { id } })
  return (
    <Card>
      <section aria-label="Calls">
        <CardHeader
          title="Calls that it may make"
          description="Every other call is refused, and the answer says why."
        />
        {calls.data ? (
          <CallList calls={calls.data} />
        ) : calls.isError ? (
          <ErrorState
            title="The calls could not be loaded"
            description={calls.error.message}
            onRetry={() => void calls.refetch()}
            className="py-8"
          />
        ) : (
          <div role="status" className="px-5 pb-5">
            <span className="sr-only">Loading the calls</span>
            <Skeleton className="h-40 w-full" />
          </div>
        )}
      </section>
    </Card>
  )
}

function CallList({ calls }: { calls: readonly KeyCall[] }) {
  return (
    <ul className="grid divide-y divide-line border-line border-t">
      {calls.map(({ name, method, path, summary }) => (
        <li key={name} className="grid gap-x-4 gap-y-0.5 px-5 py-2.5 lg:grid-cols-2">
          <code className="wrap-anywhere text-xs leading-5">
            <span className="font-semibold">{method}</span> {path}
          </code>
          <span className="wrap-anywhere text-soft text-sm">{summary}</span>
        </li>
      ))}
    </ul>
  )
}
