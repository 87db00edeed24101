/** The browsers in which the person is signed in: one is ended, or all others. */
import { useRef, useState } from 'react'
import {
  endOtherSessions,
  endSession,
  listSessions,
  type Session,
} from '#contract/account/sessions.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { formatDate } from '#web/lib/format.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { Badge } from '#web/ui/data/badge.tsx'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { Ago, LocalTime } from '#web/ui/data/local-time.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { useFocusPassedOn } from '#web/ui/use-focus-passed-on.ts'

export function SessionsCard() {
  const { data, error, refetch } = useApi(listSessions, {})
  const others = data?.filter(({ isThis }) => !isThis) ?? []
  return (
    <Card>
      <section aria-label="Sessions" tabIndex={-1} className="outline-none">
        <CardHeader
          title="Sessions"
          description="The browsers in which you are signed in. One that nobody uses for 14 days ends."
          aside={others.length > 0 && <EndOthers count={others.length} />}
        />
        {data ? (
          <ul className="border-line border-t">
            {data.map((session) => (
              <SessionRow key={session._id} session={session} />
            ))}
          </ul>
        ) : error ? (
          <ErrorState
            title="Error loading your sessions"
            description={error.message}
            onRetry={() => void refetch()}
          />
        ) : (
          <div role="status" className="px-5 pb-5">
            <span className="sr-only">Loading...</span>
            <Skeleton className="h-12 w-full" />
          </div>
        )}
      </section>
    </Card>
  )
}

function SessionRow({
  session: { _id: id, browser, ip, createdAt, lastUsedAt, isThis },
}: {
  session: Session
}) {
  const self = useRef<HTMLLIElement>(null)
  useFocusPassedOn(self)
  const end = useCall(endSession, {
    onSuccess: () => toast({ title: 'Session ended', description: browser, variant: 'success' }),
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <li
      ref={self}
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line px-5 py-3.5 not-first:border-t"
    >
      <div className="grid min-w-0 flex-1 basis-56 gap-0.5">
        <p className="flex flex-wrap items-center gap-2 font-medium text-sm">
          {browser}
          {isThis && <Badge tone="good">This browser</Badge>}
        </p>
        <p className="wrap-anywhere text-soft text-sm">
          {isThis ? (
            'Used now'
          ) : (
            <>
              Used <Ago at={lastUsedAt} />
            </>
          )}{' '}
          from {ip}. Signed in on <LocalTime at={createdAt} format={formatDate} />.
        </p>
      </div>
      {!isThis && (
        <Button
          variant="secondary"
          size="small"
          aria-label={`End the session of ${browser}`}
          isPending={end.isPending}
          onClick={() => end.mutate({ params: { id } })}
        >
          End
        </Button>
      )}
    </li>
  )
}

function EndOthers({ count }: { count: number }) {
  const button = useRef<HTMLButtonElement>(null)
  useFocusPassedOn(button)
  const [isAsking, setIsAsking] = useState(false)
  const end = useCall(endOtherSessions, {
    onSuccess: ({ ended }) => {
      setIsAsking(false)
      toast({
        title: ended === 1 ? 'One session ended' : `${ended} sessions ended`,
        variant: 'success',
      })
    },
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <>
      <Button
        ref={button}
        variant="secondary"
        className="max-sm:w-full"
        onClick={() => setIsAsking(true)}
      >
        End all others
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={(isOpen) => !isOpen && !end.isPending && setIsAsking(false)}
        title={count === 1 ? 'End the other session?' : `End ${count} other sessions?`}
        description="Those browsers are signed out at once. This one stays signed in. Mail programs are not touched."
        confirmText={end.isPending ? 'Ending...' : 'End all others'}
        isPending={end.isPending}
        onConfirm={() => end.mutate({})}
      />
    </>
  )
}
