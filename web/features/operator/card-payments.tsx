/** What Stripe was asked to collect of an invoice, and giving money back. */
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { formatAmount } from '#contract/money.ts'
import {
  type CardPayment,
  type OperatedInvoiceDetails,
  refundInvoice,
} from '#contract/operator/invoices.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { formatUtcDate } from '#web/lib/format.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import type { Column } from '#web/ui/data/table-model.ts'
import { Button } from '#web/ui/form/button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { OneLine } from './lists/cells.tsx'
import { Part } from './page-parts.tsx'

type Props = { invoice: OperatedInvoiceDetails }

export function CardPayments({ invoice }: Props) {
  const columns: readonly Column<CardPayment>[] = [
    {
      id: 'what',
      header: 'Payment',
      className: 'w-full max-w-0',
      cell: (payment) => <OneLine text={wordsOf(payment)} />,
    },
    {
      id: 'amount',
      header: 'Amount',
      align: 'right',
      className: 'w-px whitespace-nowrap tabular-nums',
      cell: ({ amountCents }) => formatAmount(amountCents, invoice.currency),
    },
    {
      id: 'back',
      header: 'Given back',
      align: 'right',
      className: 'w-px whitespace-nowrap tabular-nums',
      cell: (payment) => <Back payment={payment} invoice={invoice} />,
    },
  ]
  return (
    <Part
      title="Payments by card"
      rows={invoice.payments}
      columns={columns}
      id={({ _id }) => _id}
      none="None."
    />
  )
}

const states = {
  open: 'Waits for the buyer',
  confirming: 'Being confirmed',
  paid: 'Paid',
  failed: 'Refused',
  expired: 'Nobody paid',
} as const satisfies Record<CardPayment['state'], string>

const wordsOf = ({ at, kind, state, reason, stripeId, disputedCents }: CardPayment): string =>
  [
    ...[formatUtcDate(at), kind === 'checkout' ? 'page of Stripe' : 'saved card'],
    `${states[state]}${reason && `: ${reason}`}`,
    ...[disputedCents > 0 ? 'disputed' : '', stripeId].filter(Boolean),
  ].join(', ')

function Back({ payment, invoice }: Props & { payment: CardPayment }) {
  const mayGive = payment.leftCents > 0 && invoice.status === 'Paid'
  return (
    <span className="flex items-center justify-end gap-3">
      {formatAmount(payment.refundedCents, invoice.currency)}
      {mayGive && <GiveBack payment={payment} invoice={invoice} />}
    </span>
  )
}

function GiveBack({ payment, invoice }: Props & { payment: CardPayment }) {
  const [isAsking, setIsAsking] = useState(false)
  const sum = formatAmount(payment.leftCents, invoice.currency)
  const refund = useCall(refundInvoice, {
    onSuccess: () => {
      setIsAsking(false)
      toast({ title: `${sum} of ${invoice.number} is given back`, variant: 'success' })
    },
    onError: (error) => {
      setIsAsking(false)
      toastError(messageOf(error))
    },
  })
  const body = { cents: payment.leftCents, note: 'The payment was given back.' }
  return (
    <>
      <Button variant="secondary" onClick={() => setIsAsking(true)}>
        <Undo2 aria-hidden />
        Give back
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={(isOpen) => !isOpen && !refund.isPending && setIsAsking(false)}
        isPending={refund.isPending}
        onConfirm={() => refund.mutate({ params: { id: invoice._id }, body })}
        title={`Give ${sum} of ${invoice.number} back?`}
        description="It goes back to the card, and a credit note is made and mailed. A part of it is given back at the terminal: invoice refund."
        confirmText={refund.isPending ? 'Giving back...' : 'Give back'}
      />
    </>
  )
}
