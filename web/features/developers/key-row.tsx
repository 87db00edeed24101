import { Link } from 'react-router'
import type { ApiKey } from '#contract/developers/api-keys.ts'
import { useHolder } from '#web/lib/api/use-can.ts'
import { formatDate, formatMoment } from '#web/lib/format.ts'
import { formatEnd } from '#web/lib/time/end-of-day.ts'
import { paths } from '#web/paths.ts'
import { Badge } from '#web/ui/data/badge.tsx'
import { Ago, LocalTime } from '#web/ui/data/local-time.tsx'
import { holdersScopeGroups, reachText, scopeGroups, wordsOf } from './scope-words.ts'
import { useIsOver } from './use-is-over.ts'

export function KeyRow({ apiKey }: { apiKey: ApiKey }) {
  const { _id, name, ending, scopes, createdAt, expiresAt, madeBy } = apiKey
  const isOver = useIsOver(apiKey)
  const isHolder = useHolder() !== null
  return (
    <li className="relative grid min-w-0 gap-1 px-4 py-3 hover:bg-hover">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Link
          to={paths.apiKey(_id)}
          dir="auto"
          className="wrap-anywhere min-w-0 rounded-sm font-medium text-sm underline-offset-4 after:absolute after:inset-0 hover:underline"
        >
          {name}
        </Link>
        <span className="font-mono text-soft text-xs">…{ending}</span>
        {isOver && <Badge tone="warn">Expired</Badge>}
      </p>
      <p className="wrap-anywhere text-xs">
        {scopes
          .slice(0, SHOWN)
          .map((scope) => wordsOf(scope, isHolder ? holdersScopeGroups : scopeGroups))
          .join('. ')}
        {scopes.length > SHOWN && `, and ${scopes.length - SHOWN} more`}.{' '}
        {isHolder ? 'Your mailbox' : reachText(apiKey)}.
      </p>
      <LastUse apiKey={apiKey} />
      <p className="wrap-anywhere text-soft text-xs">
        Made <LocalTime at={createdAt} format={formatDate} title={formatMoment} />
        {!madeBy.isYou && <> by {madeBy.name}</>}
        {expiresAt && (
          <>
            {isOver ? ', ended ' : ', ends '}
            <LocalTime at={expiresAt} format={formatEnd} />
          </>
        )}
      </p>
    </li>
  )
}

const SHOWN = 2

export function LastUse({ apiKey: { lastUsedAt, lastUsedIp } }: { apiKey: ApiKey }) {
  if (lastUsedAt === null) return <p className="text-soft text-xs">Never used</p>
  return (
    <p className="wrap-anywhere text-xs">
      Used <Ago at={lastUsedAt} />
      {lastUsedIp && (
        <>
          {' from '}
          <bdi>{lastUsedIp}</bdi>
        </>
      )}
    </p>
  )
}
