/** Senders whose pictures are always shown, with a button to remove each. */
import { useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useRef } from 'react'
import {
  listPictureSenders,
  type PictureSender,
  removePictureSender,
} from '#contract/mail/pictures.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { keyOf, useApi, useCall } from '#web/lib/api/use-api.ts'
import { formatDate } from '#web/lib/format.ts'
import { toast } from '#web/lib/toast-store.ts'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton, Spinner } from '#web/ui/state/loading.tsx'

type PictureSendersCardProps = {
  mailbox: Mailbox
  /** undefined: still loading. */
  mayRead: boolean | undefined
}

export function PictureSendersCard({ mailbox, mayRead }: PictureSendersCardProps) {
  const params = { id: mailbox._id }
  const { data, isError, error, refetch } = useApi(
    listPictureSenders,
    { params },
    { enabled: mayRead === true },
  )
  const list = useRef<HTMLElement>(null)
  return (
    <Card>
      <CardHeader
        title="Pictures"
        description="Senders whose pictures are always shown. Other pictures wait until you ask for them, because loading them tells the sender that you read the message."
      />
      {mayRead === false ? (
        <p className="px-5 pb-5 text-soft text-sm">
          Only readers of this mailbox see these senders.
        </p>
      ) : isError && !data ? (
        <ErrorState
          title="The senders could not be loaded"
          description={error.message}
          onRetry={() => void refetch()}
          className="py-8"
        />
      ) : data ? (
        <section ref={list} tabIndex={-1} aria-label="Senders of pictures" className="px-5 pb-5">
          {data.length === 0 ? (
            <p className="text-soft text-sm">
              No senders yet. “Always from this sender” above a message adds its sender here.
            </p>
          ) : (
            <ul className="grid max-h-96 divide-y divide-line overflow-y-auto rounded-card border border-line">
              {data.map((sender) => (
                <SenderRow
                  key={sender._id}
                  mailboxId={mailbox._id}
                  sender={sender}
                  onRemoved={() => list.current?.focus()}
                />
              ))}
            </ul>
          )}
        </section>
      ) : (
        <div role="status" className="px-5 pb-5">
          <span className="sr-only">Loading the senders</span>
          <Skeleton className="h-12 w-full" />
        </div>
      )}
    </Card>
  )
}

type SenderRowProps = { mailboxId: string; sender: PictureSender; onRemoved: () => void }

function SenderRow({ mailboxId, sender, onRemoved }: SenderRowProps) {
  const { _id, address, createdAt } = sender
  const client = useQueryClient()
  const params = { id: mailboxId }
  const remove = useCall(removePictureSender, {
    onSuccess: () => {
      client.setQueryData<PictureSender[]>(keyOf(listPictureSenders, { params }), (known) =>
        known?.filter((each) => each._id !== _id),
      )
      toast({
        title: 'Removed',
        description: `Pictures from ${address} wait until you ask for them.`,
      })
      onRemoved()
    },
    onError: (error) =>
      toast({
        title: `${address} could not be removed`,
        description: error.message,
        variant: 'error',
      }),
  })
  return (
    <li className="flex items-center gap-3 py-1.5 pr-1.5 pl-3.5">
      <span className="grid min-w-0 flex-1">
        <span className="truncate text-sm">{address}</span>
        <span className="text-soft text-xs">
          since <LocalTime at={createdAt} format={formatDate} />
        </span>
      </span>
      <Button
        variant="quiet"
        size="iconSmall"
        aria-label={`Remove ${address}`}
        disabled={remove.isPending}
        onClick={() => remove.mutate({ params: { ...params, senderId: _id } })}
      >
        {remove.isPending ? <Spinner /> : <X aria-hidden />}
      </Button>
    </li>
  )
}
