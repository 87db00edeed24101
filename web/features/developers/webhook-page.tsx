/** One webhook: what it is told, its secret, and what became of its events. */
import { ArrowLeft, Webhook as WebhookIcon } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { webhookTopics } from '#contract/developers/webhook-topics.ts'
import {
  changeWebhook,
  deleteWebhook,
  getWebhook,
  testWebhook,
  type Webhook,
} from '#contract/developers/webhooks.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import type { LoadPage } from '#web/lib/api/first-view.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { useCan, useIsRoleKnown } from '#web/lib/api/use-can.ts'
import { formatMoment } from '#web/lib/format.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { paths } from '#web/paths.ts'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { AttemptList } from './attempt-list.tsx'
import { AdminsOnly } from './developers-page.tsx'
import { EditWebhookDialog } from './edit-webhook-dialog.tsx'
import { NewSecretDialog } from './new-secret-dialog.tsx'
import { WebhookState, whyOff } from './webhook-state.tsx'

export function WebhookPage() {
  usePageTitle('Webhook')
  const { id = '' } = useParams()
  const maySee = useCan('manage-webhooks')
  const isKnown = useIsRoleKnown()
  const { data, error, refetch } = useApi(
    getWebhook,
    { params: { id } },
    { enabled: maySee && isKnown },
  )
  const isGone = error?.type === 'NOT_EXISTS'
  const shown = isGone ? undefined : data
  const list = paths.developers({ tab: 'webhooks' })
  return (
    <div className="grid gap-6">
      <Link
        to={list}
        className="flex items-center gap-1.5 justify-self-start rounded-sm py-0.5 text-soft text-sm underline-offset-4 hover:underline"
      >
        <ArrowLeft aria-hidden className="size-4" />
        Webhooks
      </Link>
      <PageHeading
        title={shown ? new URL(shown.url).host : 'Webhook'}
        {...(shown && { subtitle: <WebhookState webhook={shown} /> })}
        actions={maySee && shown && <Actions webhook={shown} />}
      />
      {!maySee ? (
        <AdminsOnly />
      ) : isGone ? (
        <Card>
          <EmptyState
            icon={WebhookIcon}
            title="This webhook is gone"
            description="It was deleted, and is told nothing any more."
            action={
              <Button asChild variant="secondary">
                <Link to={list}>All webhooks</Link>
              </Button>
            }
          />
        </Card>
      ) : error && !shown ? (
        <ErrorState
          title="The webhook could not be loaded"
          description={error.message}
          onRetry={() => void refetch()}
        />
      ) : shown ? (
        <>
          <About webhook={shown} />
          <AttemptList webhook={shown} />
        </>
      ) : (
        <div role="status">
          <span className="sr-only">Loading the webhook</span>
          <Skeleton className="h-64 w-full rounded-card" />
        </div>
      )}
    </div>
  )
}

export const loadWebhook: LoadPage = ({ ask, params: { id = '' } }) =>
  ask(getWebhook, { params: { id } })

function Actions({ webhook }: { webhook: Webhook }) {
  const params = { id: webhook._id }
  const onError = (error: Error) => toastError(messageOf(error))
  const send = useCall(testWebhook, {
    onSuccess: () =>
      toast({
        title: 'A test is sent',
        description: 'See the attempts below.',
        variant: 'success',
      }),
    onError,
  })
  const change = useCall(changeWebhook, {
    onSuccess: ({ isOn }) =>
      toast({ title: isOn ? 'Webhook is on' : 'Webhook is off', variant: 'success' }),
    onError,
  })
  return (
    <>
      <Button
        variant="secondary"
        isPending={change.isPending}
        onClick={() => change.mutate({ params, body: { isOn: !webhook.isOn } })}
      >
        {webhook.isOn ? 'Switch off' : 'Switch on'}
      </Button>
      <Button
        disabled={!webhook.isOn}
        isPending={send.isPending}
        onClick={() => send.mutate({ params })}
      >
        Send a test
      </Button>
    </>
  )
}

function About({ webhook }: { webhook: Webhook }) {
  const [open, setOpen] = useState<'edit' | 'secret' | 'delete' | null>(null)
  const { url, topics, offReason, offAt, failingSince, formerSecretUntil } = webhook
  const close = () => setOpen(null)
  return (
    <Card>
      <CardHeader
        title="What it is told"
        aside={
          <Button variant="secondary" onClick={() => setOpen('edit')}>
            Change
          </Button>
        }
      />
      <div className="grid gap-4 px-5 pb-5 text-sm">
        {offReason !== null && (
          <p className="rounded-control bg-warn-wash px-3 py-2 text-warn">
            {whyOff[offReason]}
            {offAt && (
              <>
                {' '}
                Off since <LocalTime at={offAt} format={formatMoment} />.
              </>
            )}
          </p>
        )}
        {offReason === null && failingSince !== null && (
          <p className="rounded-control bg-warn-wash px-3 py-2 text-warn">
            Nothing has arrived since <LocalTime at={failingSince} format={formatMoment} />. After
            three days it is switched off.
          </p>
        )}
        <p className="wrap-anywhere font-mono text-xs">{url}</p>
        <ul aria-label="Events" className="grid gap-x-6 gap-y-1 sm:grid-cols-2">
          {topics.map((topic) => (
            <li key={topic}>{webhookTopics[topic].title}</li>
          ))}
        </ul>
        {formerSecretUntil !== null && (
          <p className="text-soft">
            The former secret signs too until{' '}
            <LocalTime at={formerSecretUntil} format={formatMoment} />.
          </p>
        )}
        <div className="flex flex-wrap gap-2 border-line border-t pt-4">
          <Button variant="secondary" onClick={() => setOpen('secret')}>
            New secret
          </Button>
          <Button variant="quiet" onClick={() => setOpen('delete')}>
            Delete webhook
          </Button>
        </div>
      </div>
      {open === 'edit' && <EditWebhookDialog webhook={webhook} onClose={close} />}
      {open === 'secret' && <NewSecretDialog webhook={webhook} onClose={close} />}
      <DeleteDialog webhook={webhook} isOpen={open === 'delete'} onClose={close} />
    </Card>
  )
}

type DeleteDialogProps = { webhook: Webhook; isOpen: boolean; onClose: () => void }

function DeleteDialog({ webhook, isOpen, onClose }: DeleteDialogProps) {
  const navigate = useNavigate()
  const end = useCall(deleteWebhook, {
    onSuccess: () => {
      toast({ title: 'Webhook deleted', variant: 'success' })
      void navigate(paths.developers({ tab: 'webhooks' }))
    },
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onOpenChange={(is) => !is && !end.isPending && onClose()}
      title="Delete this webhook?"
      description={`${webhook.url} is told nothing any more. Its log and the events that wait for it are deleted too.`}
      confirmText={end.isPending ? 'Deleting...' : 'Delete webhook'}
      isPending={end.isPending}
      onConfirm={() => end.mutate({ params: { id: webhook._id } })}
    />
  )
}
