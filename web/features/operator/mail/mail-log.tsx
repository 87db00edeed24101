/** What became of a mail: one search by address or domain, through what came in and what went out. */
import { MailSearch, SearchX } from 'lucide-react'
import { useState } from 'react'
import { findLoggedMails, type LoggedMail, type MailOutcome } from '#contract/operator/mail-log.ts'
import { ApiError, messageOf } from '#web/lib/api/api-error.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { formatMoment } from '#web/lib/format.ts'
import { useListPlace } from '#web/lib/list-place.ts'
import { Status, type Tone } from '#web/ui/data/badge.tsx'
import { Card } from '#web/ui/data/card.tsx'
import { DataTable } from '#web/ui/data/data-table.tsx'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import type { Column } from '#web/ui/data/table-model.ts'
import { Button } from '#web/ui/form/button.tsx'
import { SearchInput } from '#web/ui/form/search-input.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'

const PAGE_SIZE = 50
/** Mails are in the log some seconds later; older pages stay as they are. */
const REFRESH_MS = 5_000

export function MailLog() {
  const { search, settled, setSearch } = useListPlace([])
  return (
    <Card className="@container overflow-hidden">
      <header className="grid gap-2 border-line border-b px-5 py-3.5">
        <h2 className="font-semibold text-sm">What became of a mail</h2>
        <SearchInput
          aria-label="Search mails by address or domain"
          placeholder="billing@partner.example customer.example"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </header>
      {settled === '' ? (
        <EmptyState
          icon={MailSearch}
          title="Search for an address or a domain"
          description="With two of them, mails from one to the other: what was accepted, refused, delivered or bounced in the last 14 days, and what the servers said."
        />
      ) : (
        <FoundMails key={settled} q={settled} />
      )}
    </Card>
  )
}

function FoundMails({ q }: { q: string }) {
  const [cursor, setCursor] = useState<string>()
  const query = { q, limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) }
  const { data, error, refetch } = useApi(
    findLoggedMails,
    { query },
    { refetchInterval: cursor === undefined && REFRESH_MS },
  )
  if (error && !data)
    return error instanceof ApiError && error.statusCode === 422 ? (
      <EmptyState icon={MailSearch} title="Not yet an address" description={sentenceOf(error)} />
    ) : (
      <ErrorState
        title="Error searching the log"
        description={messageOf(error)}
        onRetry={() => void refetch()}
      />
    )
  return (
    <>
      <DataTable
        label="Mails"
        rows={data?.items ?? []}
        columns={columns}
        getRowId={({ _id }) => _id}
        isLoading={data === undefined}
        empty={
          <EmptyState
            icon={SearchX}
            title="Nothing in the last 14 days"
            description="No such mail came in or went out. Look for the domain alone: the address may be spelled otherwise."
          />
        }
      />
      {data && (cursor !== undefined || data.nextCursor !== null) && (
        <nav aria-label="Pages" className="flex justify-end gap-2 border-line border-t px-5 py-3">
          <Button
            variant="secondary"
            size="small"
            disabled={cursor === undefined}
            onClick={() => setCursor(undefined)}
          >
            Newest
          </Button>
          <Button
            variant="secondary"
            size="small"
            disabled={data.nextCursor === null}
            onClick={() => setCursor(data.nextCursor ?? undefined)}
          >
            Older
          </Button>
        </nav>
      )}
    </>
  )
}

const sentenceOf = (error: ApiError): string =>
  typeof error.data.q === 'string' ? error.data.q : error.message

const outcomes: Record<MailOutcome, { tone: Tone; text: string }> = {
  accepted: { tone: 'good', text: 'Accepted' },
  delivered: { tone: 'good', text: 'Delivered' },
  deferred: { tone: 'warn', text: 'Deferred' },
  refused: { tone: 'bad', text: 'Refused' },
  bounced: { tone: 'bad', text: 'Bounced' },
}

const columns: readonly Column<LoggedMail>[] = [
  {
    id: 'at',
    header: 'When',
    className: 'w-px whitespace-nowrap tabular-nums @max-2xl:hidden',
    cell: ({ at }) => <LocalTime at={at} format={formatMoment} />,
  },
  {
    id: 'outcome',
    header: 'Outcome',
    className: 'w-px whitespace-nowrap',
    cell: ({ outcome, times }) => (
      <span className="grid justify-items-start gap-0.5">
        <Status tone={outcomes[outcome].tone}>{outcomes[outcome].text}</Status>
        {times > 1 && <span className="text-soft text-xs">{times} times</span>}
      </span>
    ),
  },
  {
    id: 'mail',
    header: 'From, to, and what was said',
    className: 'w-full max-w-0',
    cell: ({ at, from, to, outcome, peer, reply }) => (
      <span className="grid gap-0.5">
        <span className="wrap-anywhere">
          {from === '' ? 'A bounce' : from} <span className="text-soft">to</span>{' '}
          {to === '' ? 'no recipient named' : to}
        </span>
        <span className="wrap-anywhere text-soft text-xs">
          {outcome === 'accepted' ? `as ${reply}` : reply}
          {peer !== '' && ` (${peer})`}
        </span>
        {/* In a narrow table the first column stands here. */}
        <span className="@2xl:hidden text-soft text-xs">
          <LocalTime at={at} format={formatMoment} />
        </span>
      </span>
    ),
  },
]
