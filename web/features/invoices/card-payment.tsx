/** How the payment of an invoice by card stands, and what its Admin can do about it. Stripe's page leads back here (decision 123). */
import { CreditCard } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { type InvoiceDocument, listInvoices } from '#contract/billing.ts'
import { formatAmount } from '#contract/money.ts'
import { getSavedCard, lookAtInvoice, openCheckout } from '#contract/workspace/card-payments.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { toastError } from '#web/lib/toast-store.ts'
import { Card } from '#web/ui/data/card.tsx'
import { Button } from '#web/ui/form/button.tsx'

type Props = { invoice: InvoiceDocument }

export function CardPayment({ invoice }: Props) {
  const [search] = useSearchParams()
  const cameFrom = search.get('payment')
  const look = useCall(lookAtInvoice)
  const isLookedAt = useRef(false)
  const { mutate } = look
  useEffect(() => {
    if (cameFrom === null || isLookedAt.current) return
    isLookedAt.current = true
    mutate({ params: { id: invoice._id } })
  }, [cameFrom, invoice._id, mutate])
  const words = wordsOf(invoice, cameFrom)
  const card = useApi(getSavedCard, {}, { enabled: words !== null }).data?.card ?? null
  if (words === null) return null
  const isPaid = invoice.status === 'Paid'
  return (
    <Card className="flex flex-wrap items-center gap-x-6 gap-y-3 p-5 print:hidden">
      <CreditCard aria-hidden className="size-5 shrink-0 text-soft" />
      <div role="status" className="grid min-w-0 flex-1 basis-60 gap-0.5 text-sm">
        <span className="font-medium">{words.title}</span>
        <span className="text-soft">
          {isPaid ? <OthersOpen /> : null}
          {words.text ??
            (card
              ? `${card.brand} ending ${card.last4} is charged in a moment, or you pay by another card.`
              : 'The card is saved, and pays the next months, too.')}
        </span>
      </div>
      {words.button && <PayButton invoice={invoice} label={words.button} />}
    </Card>
  )
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
        ? 'One more invoice is charged to the same card in a moment. '
        : `${waiting.length} more invoices are charged to the same card in a moment. `}
    </>
  )
}

function PayButton({ invoice: { _id: id }, label }: Props & { label: string }) {
  const checkout = useCall(openCheckout, {
    onSuccess: ({ url }) => window.location.assign(url),
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <Button isPending={checkout.isPending} onClick={() => checkout.mutate({ params: { id } })}>
      {label}
    </Button>
  )
}

type Words = { title: string; text: string | null; button?: string }

const wordsOf = (
  { isByCard, kind, status, payment, openCents, currency }: InvoiceDocument,
  cameFrom: string | null,
): Words | null => {
  if (!isByCard || kind === 'credit') return null
  if (status !== 'Due')
    return cameFrom === 'done' && status === 'Paid'
      ? { title: 'Thank you, the invoice is paid', text: 'Its mailboxes work now.' }
      : null
  const sum = formatAmount(openCents, currency)
  if (payment?.state === 'disputed')
    return {
      title: 'The bank is deciding about the payment',
      text: 'The owner of the card asked for the money back. Nothing can be paid until the bank has decided.',
    }
  if (payment?.state === 'confirming' || (cameFrom === 'done' && payment === null))
    return {
      title: 'Payment is being confirmed',
      text: 'This takes a moment. The page shows it by itself.',
    }
  if (payment?.state === 'needs confirmation')
    return { title: payment.reason, text: `It is for ${sum}.`, button: 'Confirm the payment' }
  if (payment?.state === 'failed')
    return {
      title: 'The card was not charged',
      text: `${payment.reason}. Pay by another card, or change the saved one under Billing.`,
      button: 'Pay by card',
    }
  if (cameFrom === 'cancelled')
    return {
      title: 'The payment was cancelled',
      text: 'Nothing was charged. You can pay now or later.',
      button: 'Pay by card',
    }
  return { title: `${sum} to pay`, text: null, button: 'Pay by card' }
}
