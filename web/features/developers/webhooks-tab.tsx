/** The webhooks of the workspace, each with its state. */
import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { Link } from 'react-router'
import { listWebhooks, MAX_WEBHOOKS, type Webhook } from '#contract/developers/webhooks.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useKeptState } from '#web/lib/kept-values.ts'
import { paths } from '#web/paths.ts'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { AddWebhookDialog } from './add-webhook-dialog.tsx'
import { WebhookState, whyOff } from './webhook-state.tsx'

export function WebhooksTab() {
  const { data, error, refetch } = useApi(listWebhooks, {})
  const [isAdding, setIsAdding] = useKeptState('adding a webhook', false)
  const isFull = data !== undefined && data.length >= MAX_WEBHOOKS
  return (
    <Card>
      <CardHeader
        title="Webhooks"
        description="Mailstead posts to your server what happens here: a mail came in or bounced, a domain broke, an invoice was paid."
        aside={
          !isFull && (
            <Button onClick={() => setIsAdding(true)} className="max-sm:w-full">
              <Plus aria-hidden />
              Add webhook
            </Button>
          )
        }
      />
      <section aria-label="Webhooks" className="grid gap-4 px-5 pb-5">
        {data ? (
          data.length === 0 ? (
            <EmptyState
              icon={WebhookIcon}
              title="No webhook yet"
              description="Add the address of your server, and choose what it is told."
              className="py-6"
            />
          ) : (
            <ul className="grid divide-y divide-line rounded-card border border-line">
              {data.map((webhook) => (
                <Row key={webhook._id} webhook={webhook} />
              ))}
            </ul>
          )
        ) : error ? (
          <ErrorState
            title="The webhooks could not be loaded"
            description={error.message}
            onRetry={() => void refetch()}
            className="py-8"
          />
        ) : (
          <div role="status">
            <span className="sr-only">Loading the webhooks</span>
            <Skeleton className="h-17 w-full" />
          </div>
        )}
        {isFull && (
          <p className="text-soft text-sm">
            The workspace has {MAX_WEBHOOKS} webhooks. Delete one to add another.
          </p>
        )}
      </section>
      {isAdding && <AddWebhookDialog onClose={() => setIsAdding(false)} />}
    </Card>
  )
}

function Row({ webhook }: { webhook: Webhook }) {
  const { _id, url, topics, offReason } = webhook
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="grid min-w-0 flex-1 basis-56 gap-0.5">
        <Link
          to={paths.webhook(_id)}
          className="wrap-anywhere rounded-sm py-0.5 font-medium text-sm underline-offset-4 hover:underline"
        >
          {url}
        </Link>
        <p className="text-soft text-xs">
          {offReason !== null && offReason !== 'admin'
            ? whyOff[offReason]
            : topics.length === 1
              ? '1 kind of event'
              : `${topics.length} kinds of events`}
        </p>
      </div>
      <WebhookState webhook={webhook} />
    </li>
  )
}
