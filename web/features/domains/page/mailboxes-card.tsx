import { Plus } from 'lucide-react'
import { Link } from 'react-router'
import { type Domain, domainCan } from '#contract/domains.ts'
import { listMailboxes, type Mailbox } from '#contract/mailboxes.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useCan } from '#web/lib/api/use-can.ts'
import { formatCount } from '#web/lib/format.ts'
import { paths } from '#web/paths.ts'
import { Status } from '#web/ui/data/badge.tsx'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'

const SHOWN_MAILBOXES = 5

/** The first mailboxes, their number, and the button to add one. */
export function MailboxesCard({ domain }: { domain: Domain }) {
  const { mailboxes: count, name } = domain
  const list = useApi(listMailboxes, { query: listQuery(name) }, { enabled: count > 0 })
  const isOpen = domainCan.takeMailboxes(domain)
  return (
    <Card className="overflow-hidden">
      <section aria-label="Mailboxes">
        <CardHeader
          title="Mailboxes"
          description={countText(count)}
          aside={isOpen && <AddButton domain={domain} />}
        />
        {count === 0 ? (
          <p className="border-line border-t px-5 py-6 text-pretty text-soft text-sm">
            {isOpen
              ? 'Each one is an address of this domain with its own mail.'
              : 'They can be added once the domain is active.'}
          </p>
        ) : list.isError && !list.data ? (
          <ErrorState
            title="The mailboxes could not be loaded"
            description={list.error.message}
            onRetry={() => list.refetch()}
            className="border-line border-t py-6"
          />
        ) : (
          <ul className="divide-y divide-line border-line border-t">
            {list.data
              ? list.data.items.map((mailbox) => <MailboxRow key={mailbox._id} mailbox={mailbox} />)
              : Array.from({ length: Math.min(count, SHOWN_MAILBOXES) }, (_, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
                  <LoadingRow key={at} />
                ))}
          </ul>
        )}
        {count > SHOWN_MAILBOXES && (
          <p className="border-line border-t px-5 py-2.5 text-sm">
            <Link
              to={paths.mailboxes({ q: name })}
              className="inline-block py-1 font-medium text-accent-ink underline-offset-4 hover:underline"
            >
              See all {formatCount(count)} mailboxes
            </Link>
          </p>
        )}
      </section>
    </Card>
  )
}

const countText = (count: number): string =>
  count === 0 ? 'None yet' : count === 1 ? '1 mailbox' : `${formatCount(count)} mailboxes`

export const listQuery = (domain: string) => ({ domain, limit: SHOWN_MAILBOXES })

function AddButton({ domain }: { domain: Domain }) {
  const canManage = useCan('manage-mailboxes')
  if (!canManage) return null
  return (
    <Button variant="secondary" size="small" asChild>
      <Link to={paths.newMailbox({ domain: domain.name })}>
        <Plus aria-hidden />
        Add mailbox
      </Link>
    </Button>
  )
}

const statuses = {
  active: null,
  suspended: { tone: 'warn', text: 'Suspended' },
  inactive: { tone: 'neutral', text: 'Inactive' },
} as const

function MailboxRow({ mailbox }: { mailbox: Mailbox }) {
  const status = statuses[mailbox.status]
  return (
    <li className="flex items-center justify-between gap-3 px-5 py-3">
      <div className="grid min-w-0 gap-0.5 text-sm">
        <Link
          to={paths.viewMail({ mailbox: mailbox._id })}
          title={mailbox.email}
          className="truncate rounded py-0.5 font-medium underline-offset-4 hover:underline"
        >
          {mailbox.email}
        </Link>
        <span dir="auto" className="truncate text-left text-soft">
          {mailbox.fullName}
        </span>
      </div>
      {status && <Status tone={status.tone}>{status.text}</Status>}
    </li>
  )
}

/** As high as a row. */
function LoadingRow() {
  return (
    <li aria-hidden className="grid gap-1.5 px-5 py-3.5">
      <Skeleton className="h-4 w-52 max-w-full" />
      <Skeleton className="h-4 w-32" />
    </li>
  )
}
