/** How the payment of an invoice by card stands, and what its Admin can do about it. Stripe's page leads back here (decision 123). */
import { CreditCard } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { type InvoiceDocument, listInvoices } from '#contract/billing.ts'
import { getSavedCard, lookAtInvoice, openCheckout } from '#contract/workspace/card-payments.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { toastError } from '#web/lib/toast-store.ts'
import { Card } from '#web/ui/data/card.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { cardWords, type Return, wordsOf } from './card-words.ts'

type Props = { invoice: InvoiceDocument }

export function CardPayment({ invoice }: Props) {
  const { back, look } = useReturn(invoice)
  const words = wordsOf(invoice, back)
  const saved = useApi(getSavedCard, {}, { enabled: words !== null })
  if (words === null) return null
  const { title, text, button } = words
  return (
    <Card className="flex flex-wrap items-center gap-x-6 gap-y-3 p-5 print:hidden">
      <CreditCard aria-hidden className="size-5 shrink-0 text-soft" />
      <div role="status" className="grid min-w-0 flex-1 basis-60 gap-0.5 text-sm">
        <span className="font-medium">{title}</span>
        <span className="text-pretty text-soft">
          {text ??
            (saved.isPending ? 'Looking for the saved card...' : cardWords(saved.data?.card))}
          {invoice.status === 'Paid' ? <OthersOpen /> : null}
        </span>
      </div>
      {button === 'Check again' ? (
        <Button variant="secondary" onClick={() => look.mutate({ params: { id: invoice._id } })}>
          {button}
        </Button>
      ) : text === null && saved.data?.card ? (
        <PayButton invoice={invoice} label="Pay by another card" variant="secondary" />
      ) : button ? (
        <PayButton invoice={invoice} label={button} />
      ) : null}
    </Card>
  )
}

/**
 * Stripe's page leads back with '?payment=': asked once what became of it, and said once. A page that is loaded again later says what
 * is true then.
 */
function useReturn({ _id: id }: InvoiceDocument) {
  const [search, setSearch] = useSearchParams()
  const inAddress = search.get('payment')
  const [cameFrom] = useState<'done' | 'cancelled' | null>(() =>
    inAddress === 'done' || inAddress === 'cancelled' ? inAddress : null,
  )
  const look = useCall(lookAtInvoice)
  const { mutate } = look
  const isLookedAt = useRef(false)
  useEffect(() => {
    if (cameFrom === null || isLookedAt.current) return
    isLookedAt.current = true
    mutate({ params: { id } })
  }, [cameFrom, id, mutate])
  useEffect(() => {
    if (inAddress !== null) setSearch(withoutPayment, { replace: true, preventScrollReset: true })
  }, [inAddress, setSearch])
  const isAsking = cameFrom === 'done' && (look.isIdle || look.isPending)
  const back: Return = look.isError ? 'unknown' : isAsking ? 'asking' : cameFrom
  return { back, look }
}

const withoutPayment = (search: URLSearchParams): URLSearchParams => {
  const left = new URLSearchParams(search)
  left.delete('payment')
  return left
}

/** An order of more than one invoice: the card of the first pays the others. The list is live. */
function OthersOpen() {
  const items = useApi(listInvoices, { query: { limit: 50 } }).data?.items ?? []
  const open = items.filter(
    ({ isByCard, kind, status }) => isByCard && kind === 'invoice' && status === 'Due',
  )
  const waiting = open.filter(({ payment }) => payment === null || payment.state === 'confirming')
  if (waiting.length === 0) return null
  return (
    <>
      {waiting.length === 1
        ? ' One more invoice is charged to the same card in a moment.'
        : ` ${waiting.length} more invoices are charged to the same card in a moment.`}
    </>
  )
}

type PayButtonProps = Props & { label: string; variant?: 'primary' | 'secondary' }

function PayButton({ invoice: { _id: id }, label, variant = 'primary' }: PayButtonProps) {
  const checkout = useCall(openCheckout, {
    onSuccess: ({ url }) => window.location.assign(url),
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <Button
      variant={variant}
      isPending={checkout.isPending}
      onClick={() => checkout.mutate({ params: { id } })}
    >
      {label}
    </Button>
  )
}
