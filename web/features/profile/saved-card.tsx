/** The card that pays the next invoices. It is changed on a page of Stripe. */
import { CreditCard } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { getInstallation } from '#contract/installation.ts'
import {
  getSavedCard,
  openPortal,
  refreshSavedCard,
  type SavedCard as Saved,
} from '#contract/workspace/card-payments.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { useCan } from '#web/lib/api/use-can.ts'
import { toastError } from '#web/lib/toast-store.ts'
import { Card } from '#web/ui/data/card.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'

export function SavedCard() {
  const installation = useApi(getInstallation, {}, { staleTime: Number.POSITIVE_INFINITY })
  const isShown = useCan('manage-billing') && installation.data?.billing === 'stripe'
  const { data, error, refetch } = useApi(getSavedCard, {}, { enabled: isShown })
  const refresh = useRefresh(isShown)
  if (!isShown) return null
  return (
    <Card className="flex flex-wrap items-center gap-x-6 gap-y-3 p-5">
      {data ? (
        <Shown card={data.card} refresh={refresh} />
      ) : error ? (
        <ErrorState
          title="Error loading the card"
          description={error.message}
          onRetry={() => refetch()}
          className="w-full py-6"
        />
      ) : (
        <Skeleton className="h-10 w-full rounded-xl max-sm:h-34" />
      )}
    </Card>
  )
}

/** Stripe's page leads back with '?card=changed': asked once which card is saved now. @returns the question, where it failed */
function useRefresh(isShown: boolean) {
  const [search, setSearch] = useSearchParams()
  const isBack = search.get('card') === 'changed'
  const refresh = useCall(refreshSavedCard)
  const { mutate } = refresh
  const isAsked = useRef(false)
  useEffect(() => {
    if (!isShown || !isBack || isAsked.current) return
    isAsked.current = true
    mutate({})
    setSearch(withoutCard, { replace: true, preventScrollReset: true })
  }, [isShown, isBack, mutate, setSearch])
  return refresh
}

const withoutCard = (search: URLSearchParams): URLSearchParams => {
  const left = new URLSearchParams(search)
  left.delete('card')
  return left
}

type ShownProps = { card: Saved | null; refresh: ReturnType<typeof useRefresh> }

function Shown({ card, refresh }: ShownProps) {
  const portal = useCall(openPortal, {
    onSuccess: ({ url }) => window.location.assign(url),
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <>
      <CreditCard aria-hidden className="size-5 shrink-0 text-soft" />
      <div className="grid min-w-0 flex-1 basis-60 gap-0.5 text-sm">
        <span className="font-medium">
          {card ? `${card.brand} ending ${card.last4}` : 'No card is saved'}
        </span>
        <span role="status" className="text-pretty text-soft">
          {refresh.isError
            ? 'Stripe could not be asked about the card, so a change may not be shown yet.'
            : card
              ? `Expires ${card.expires.split('-').reverse().join('/')}. It pays the next invoices; unpaid ones are charged at once to a new card.`
              : 'It is saved when you pay the first invoice, and then pays the next months.'}
        </span>
      </div>
      {refresh.isError && (
        <Button variant="secondary" onClick={() => refresh.mutate({})}>
          Check again
        </Button>
      )}
      {card && !refresh.isError && (
        <Button variant="secondary" isPending={portal.isPending} onClick={() => portal.mutate({})}>
          Change card
        </Button>
      )}
    </>
  )
}
