/** The access log of one mailbox or of all, newest first. */
import { useInfiniteQuery } from '@tanstack/react-query'
import {
  type AccessEntry,
  listAccessEntries,
  listAllAccessEntries,
  type MailboxReader,
} from '#contract/mail/access.ts'
import type { Output } from '#contract/route.ts'
import { call } from '#web/lib/api/api.ts'
import type { ApiError } from '#web/lib/api/api-error.ts'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { Ago } from '#web/ui/data/local-time.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'

const PAGE_SIZE = 20

type Page = Output<typeof listAccessEntries>

function useEntries(mailboxId: string | null) {
  const route = mailboxId === null ? listAllAccessEntries : listAccessEntries
  return useInfiniteQuery<Page, ApiError, { pages: Page[] }, unknown[], string | undefined>({
    // Not the key of a single page, which the server may have put into the first view.
    queryKey: [route.path, 'pages', { params: { id: mailboxId } }],
    meta: { reads: route.reads },
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: PAGE_SIZE, cursor: pageParam }
      return mailboxId === null
        ? call(listAllAccessEntries, { query }, { signal })
        : call(listAccessEntries, { params: { id: mailboxId }, query }, { signal })
    },
    initialPageParam: undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
}

export function AccessLog({ mailboxId }: { mailboxId: string | null }) {
  const entries = useEntries(mailboxId)
  const all = entries.data?.pages.flatMap((page) => page.items)
  return (
    <Card className="max-w-3xl">
      <CardHeader
        title="Access log"
        description="These entries cannot be changed or deleted. Admins and the holder of the mailbox can see them."
      />
      <div className="grid gap-4 px-5 pb-5">
        {entries.isError && !all ? (
          <ErrorState
            title="The log could not be loaded"
            description={entries.error.message}
            onRetry={() => void entries.refetch()}
            className="py-8"
          />
        ) : !all ? (
          <div role="status">
            <span className="sr-only">Loading the log</span>
            <Skeleton className="h-24 w-full" />
          </div>
        ) : all.length === 0 ? (
          <p className="text-soft text-sm">Nothing yet.</p>
        ) : (
          <ol aria-label="Access log" className="grid divide-y divide-line">
            {all.map((entry) => (
              <Line key={entry._id} entry={entry} isOfMany={mailboxId === null} />
            ))}
          </ol>
        )}
        {entries.isFetchNextPageError && (
          <p role="alert" className="text-bad text-sm">
            The older ones could not be loaded.
          </p>
        )}
        {entries.hasNextPage && (
          <Button
            variant="secondary"
            size="small"
            className="justify-self-start"
            isPending={entries.isFetchingNextPage}
            onClick={() => void entries.fetchNextPage()}
          >
            {entries.isFetchNextPageError ? 'Try again' : 'Show older'}
          </Button>
        )}
      </div>
    </Card>
  )
}

function Line({ entry, isOfMany }: { entry: AccessEntry; isOfMany: boolean }) {
  return (
    <li className="grid gap-0.5 py-3 text-sm first:pt-0 last:pb-0">
      {isOfMany && <p className="wrap-anywhere font-medium">{entry.mailbox}</p>}
      <p className="wrap-anywhere">{sentenceFor(entry)}</p>
      {entry.reason && (
        <p className="wrap-anywhere text-soft">
          Reason given: <span dir="auto">{entry.reason}</span>
        </p>
      )}
      <p className="text-soft text-xs">
        <Ago at={entry.at} />
      </p>
    </li>
  )
}

/** An entry of the access log as a sentence. The mailbox is named beside it. */
export const sentenceFor = ({
  kind,
  actor,
  subject,
}: Pick<AccessEntry, 'kind' | 'actor' | 'subject'>): string =>
  ({
    'link-made': `${actor} made a link that sets the password of the holder.`,
    'link-mailed': `${actor} mailed a link that sets the password of the holder to ${subject || 'their private address'}.`,
    'link-withdrawn': `${actor} withdrew the link that sets the password of the holder.`,
    accepted: `${actor} set a password with the link and reads it from now on.`,
    reset: `${actor} set a new password with a link.`,
    revoked: `${actor} ended the access of the holder.`,
    given: `${actor} let ${subject} read it.`,
    'taken-back': `${actor} ended the right of ${subject} to read it.`,
    taken: `${actor} took the right to read it.`,
    'gave-back': `${actor} gave back the right to read it.`,
    ended: `${actor} reads it no longer: the last day of this right has passed.`,
    'handed-over': `${actor} handed it over to ${subject}.`,
    exported: `${actor} made one file of everything in the workspace, with the mail of this mailbox.`,
    'moved-away': `${actor} moved the domain with its mail to the workspace “${subject}”.`,
    'moved-in': `${actor} moved the domain with its mail here from the workspace “${subject}”.`,
  })[kind]

/** Why a member may read a mailbox. */
export const reasonOf: Record<MailboxReader['how'], string> = {
  holder: 'Holder',
  made: 'Created the mailbox',
  given: 'Was given the right',
  taken: 'Took the right',
}
