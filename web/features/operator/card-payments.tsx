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
import { Field, Input } from '#web/ui/form/field.tsx'
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

const decimalOf = (cents: number): string => (cents / 100).toFixed(2)

/** '12.50' or '12,5'. null: the text is no sum. */
const centsOf = (text: string): number | null => {
  const [, whole, part = ''] = /^(\d{1,6})(?:[.,](\d{1,2}))?$/.exec(text.trim()) ?? []
  return whole === undefined ? null : Number(whole) * 100 + Number(part.padEnd(2, '0'))
}

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
  const [typed, setTyped] = useState(decimalOf(payment.leftCents))
  const [note, setNote] = useState('')
  const [isChecked, setIsChecked] = useState(false)
  const most = formatAmount(payment.leftCents, invoice.currency)
  const cents = centsOf(typed)
  const isRight = cents !== null && cents > 0 && cents <= payment.leftCents
  const sum = isRight ? formatAmount(cents, invoice.currency) : ''
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
  const give = () => {
    setIsChecked(true)
    if (isRight && note.trim() !== '')
      refund.mutate({ params: { id: invoice._id }, body: { cents, note: note.trim() } })
  }
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
        onConfirm={give}
        title={`Give money of ${invoice.number} back?`}
        description={`It goes back to the card, and a credit note is made and mailed. At most ${most}.`}
        confirmText={refund.isPending ? 'Giving back...' : `Give ${sum} back`}
      >
        <div className="mt-4 grid gap-4">
          <Field
            label={`Amount in ${invoice.currency.toUpperCase()}`}
            required
            error={isChecked && !isRight ? `Please type a sum up to ${most}` : undefined}
          >
            {(control) => (
              <Input
                {...control}
                inputMode="decimal"
                value={typed}
                onChange={({ target }) => setTyped(target.value)}
              />
            )}
          </Field>
          <Field
            label="Reason"
            required
            hint="The buyer reads it on the credit note."
            error={isChecked && note.trim() === '' ? 'Please say why' : undefined}
          >
            {(control) => (
              <Input
                {...control}
                maxLength={500}
                value={note}
                onChange={({ target }) => setNote(target.value)}
              />
            )}
          </Field>
        </div>
      </ConfirmDialog>
    </>
  )
}
