/** What was sent to a webhook and what it answered, newest first. */
import { useInfiniteQuery } from '@tanstack/react-query'
import type { WebhookTopic } from '#contract/developers/webhook-topics.ts'
import { webhookTopics } from '#contract/developers/webhook-topics.ts'
import {
  type Attempt,
  EVENT_DAYS,
  listWebhookAttempts,
  replayWebhookAttempt,
  type Webhook,
} from '#contract/developers/webhooks.ts'
import type { Output } from '#contract/route.ts'
import { call } from '#web/lib/api/api.ts'
import { type ApiError, messageOf } from '#web/lib/api/api-error.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { Status } from '#web/ui/data/badge.tsx'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { Disclosure } from '#web/ui/data/disclosure.tsx'
import { Ago } from '#web/ui/data/local-time.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'

const PAGE_SIZE = 20
/** No event of the server announces attempts. */
const LOOK_MS = 2_000

type Page = Output<typeof listWebhookAttempts>

function useAttempts(id: string) {
  return useInfiniteQuery<Page, ApiError, { pages: Page[] }, unknown[], string | undefined>({
    // Not the key of a single page, which the server may have put into the first view.
    queryKey: [listWebhookAttempts.path, 'pages', { params: { id } }],
    meta: { reads: listWebhookAttempts.reads },
    queryFn: ({ pageParam, signal }) =>
      call(
        listWebhookAttempts,
        { params: { id }, query: { limit: PAGE_SIZE, cursor: pageParam } },
        { signal },
      ),
    initialPageParam: undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    // Reading many pages again and again would be much.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) <= 1 ? LOOK_MS : false),
  })
}

export function AttemptList({ webhook }: { webhook: Webhook }) {
  const attempts = useAttempts(webhook._id)
  const all = attempts.data?.pages.flatMap((page) => page.items)
  return (
    <Card>
      <CardHeader
        title="Attempts"
        description={`What was sent in the last ${EVENT_DAYS} days, and what your server answered.`}
      />
      <div className="grid gap-4 px-5 pb-5">
        {attempts.isError && !all ? (
          <ErrorState
            title="The attempts could not be loaded"
            description={attempts.error.message}
            onRetry={() => void attempts.refetch()}
            className="py-8"
          />
        ) : !all ? (
          <div role="status">
            <span className="sr-only">Loading the attempts</span>
            <Skeleton className="h-24 w-full" />
          </div>
        ) : all.length === 0 ? (
          <p className="text-soft text-sm">
            Nothing was sent yet. “Send a test” shows whether events arrive.
          </p>
        ) : (
          <ol
            aria-label="Attempts"
            className="grid divide-y divide-line rounded-card border border-line"
          >
            {all.map((attempt) => (
              <Line key={attempt._id} webhook={webhook} attempt={attempt} />
            ))}
          </ol>
        )}
        {attempts.hasNextPage && (
          <Button
            variant="secondary"
            size="small"
            className="justify-self-start"
            isPending={attempts.isFetchingNextPage}
            onClick={() => void attempts.fetchNextPage()}
          >
            {attempts.isFetchNextPageError ? 'Try again' : 'Show older'}
          </Button>
        )}
      </div>
    </Card>
  )
}

const titleOf = (topic: Attempt['topic']): string =>
  topic === 'test' ? 'A test' : webhookTopics[topic satisfies WebhookTopic].title

function Line({ webhook, attempt }: { webhook: Webhook; attempt: Attempt }) {
  const { topic, at, durationMs, status, reason, answer, eventId } = attempt
  const again = useCall(replayWebhookAttempt, {
    onSuccess: () => toast({ title: 'The event is sent again', variant: 'success' }),
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <li className="grid gap-1 px-4 py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-sm">
          <Status tone={reason === '' ? 'good' : 'bad'}>
            {reason === '' ? `Arrived, ${status}` : (status ?? 'No answer')}
          </Status>
          {titleOf(topic)}
        </p>
        <Button
          variant="quiet"
          size="small"
          disabled={!webhook.isOn}
          isPending={again.isPending}
          onClick={() => again.mutate({ params: { id: webhook._id, attemptId: attempt._id } })}
        >
          Send again
        </Button>
      </div>
      <p className="wrap-anywhere text-soft text-xs">
        <Ago at={at} />, {durationMs} ms{reason && `: ${reason}`}
        {reason && stateWords[attempt.state]}
      </p>
      <div>
        <Disclosure label="Details">
          <dl className="grid gap-1 px-1 pt-1 pb-2 text-xs">
            <dt className="text-soft">webhook-id</dt>
            <dd className="wrap-anywhere font-mono">{eventId}</dd>
            <dt className="text-soft">Topic</dt>
            <dd className="wrap-anywhere font-mono">{topic}</dd>
            <dt className="text-soft">Answer</dt>
            <dd className="wrap-anywhere whitespace-pre-wrap font-mono">
              {answer === '' ? 'It was empty' : answer}
            </dd>
          </dl>
        </Disclosure>
      </div>
    </li>
  )
}

const stateWords: Record<Attempt['state'], string> = {
  waiting: '. It is tried again',
  delivered: '. It arrived since',
  failed: '. It was given up',
}
