/** One invoice, for the operator: what it is for, and whether it was paid. */
import { Check, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { formatAmount } from '#contract/money.ts'
import {
  getOperatedInvoice,
  type OperatedInvoiceDetails,
  settleInvoice,
} from '#contract/operator/invoices.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import type { LoadPage } from '#web/lib/api/first-view.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { formatCount, formatUtcDate } from '#web/lib/format.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { paths } from '#web/paths.ts'
import type { Column } from '#web/ui/data/table-model.ts'
import { Button } from '#web/ui/form/button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { CardPayments } from './card-payments.tsx'
import { PaidState } from './invoice-list.tsx'
import { OneLine } from './lists/cells.tsx'
import { type Fact, Facts, OneThing, Part } from './page-parts.tsx'

export function OperatedInvoicePage() {
  const { id = '' } = useParams()
  const answer = useApi(getOperatedInvoice, { params: { id } })
  usePageTitle(answer.data?.number ?? 'Invoice')
  return (
    <OneThing
      noun="invoice"
      answer={answer}
      missing="Please look at its number again."
      heading={(invoice) => ({
        title: `${invoice.kind === 'credit' ? 'Credit note' : 'Invoice'} ${invoice.number}`,
        subtitle: (
          <span className="flex flex-wrap items-center gap-2">
            <PaidState status={invoice.status} />
            of
            <Link
              className="underline underline-offset-4"
              to={paths.operatedWorkspace(invoice.workspaceId)}
            >
              {invoice.workspaceName}
            </Link>
          </span>
        ),
        actions: invoice.status === 'Due' && <SettleButtons invoice={invoice} />,
      })}
    >
      {(invoice) => <Details invoice={invoice} />}
    </OneThing>
  )
}

export const loadOperatedInvoice: LoadPage = ({ ask, params: { id = '' } }) =>
  ask(getOperatedInvoice, { params: { id } })

type Props = { invoice: OperatedInvoiceDetails }

function Details({ invoice }: Props) {
  const { currency, document } = invoice
  const columns: readonly Column<Line>[] = [
    ...lineColumns,
    {
      id: 'amount',
      header: 'Amount',
      align: 'right',
      className: 'w-px whitespace-nowrap tabular-nums',
      cell: ({ amountCents }) => formatAmount(amountCents, currency),
    },
  ]
  return (
    <>
      <Facts title="Payment" facts={factsOf(invoice)} />
      <Part
        title="Mailboxes by domain"
        rows={document.lines}
        columns={columns}
        id={({ domain, unitCents }) => `${domain} ${unitCents}`}
        none="It has no lines."
      />
      {invoice.payments.length > 0 && <CardPayments invoice={invoice} />}
    </>
  )
}

const factsOf = (invoice: OperatedInvoiceDetails): Fact[] => {
  const { currency, document, buyer, paidAt } = invoice
  const others = [...(document.corrects ? [document.corrects] : []), ...document.credits]
  return [
    ['Amount', formatAmount(invoice.amountCents, currency)],
    ['Still to be paid', formatAmount(document.openCents, currency)],
    ['Buyer', buyer || 'No name was known'],
    ['Date', formatUtcDate(invoice.date)],
    ['Due', formatUtcDate(invoice.dueAt)],
    ['Paid', paidAt === null ? 'No' : formatUtcDate(paidAt)],
    ...others.map(
      (other): Fact => [
        document.corrects ? 'Takes back' : 'Taken back by',
        <Link
          key={other._id}
          className="underline underline-offset-4"
          to={paths.operatedInvoice(other._id)}
        >
          {other.number}
        </Link>,
      ],
    ),
  ]
}

function SettleButtons({ invoice: { _id: id, number } }: Props) {
  const [asking, setAsking] = useState<'paid' | 'void' | null>(null)
  const settle = useCall(settleInvoice, {
    onSuccess: (_answer, { body }) => {
      setAsking(null)
      toast({
        title: body.as === 'paid' ? `${number} is paid` : `${number} is taken back`,
        variant: 'success',
      })
    },
    onError: (error) => {
      setAsking(null)
      toastError(messageOf(error))
    },
  })
  const question = (as: 'paid' | 'void') => ({
    isOpen: asking === as,
    onOpenChange: (isOpen: boolean) => !isOpen && !settle.isPending && setAsking(null),
    isPending: settle.isPending,
    onConfirm: () => settle.mutate({ params: { id }, body: { as } }),
  })
  return (
    <>
      <Button variant="secondary" onClick={() => setAsking('void')}>
        <Undo2 aria-hidden />
        Take back
      </Button>
      <Button onClick={() => setAsking('paid')}>
        <Check aria-hidden />
        Mark paid
      </Button>
      <ConfirmDialog
        {...question('paid')}
        title={`Mark ${number} paid?`}
        description="Mailboxes that were suspended because it was not paid work again at once."
        confirmText={settle.isPending ? 'Saving...' : 'Mark paid'}
      />
      <ConfirmDialog
        {...question('void')}
        title={`Take back what is due of ${number}?`}
        description="A credit note is made and mailed. The mailboxes stay as they are, and those that were suspended for it work again."
        confirmText={settle.isPending ? 'Taking back...' : 'Take back'}
      />
    </>
  )
}

type Line = OperatedInvoiceDetails['document']['lines'][number]

const lineColumns: readonly Column<Line>[] = [
  {
    id: 'domain',
    header: 'Domain',
    className: 'w-full max-w-0',
    cell: ({ domain }) => <OneLine text={domain} />,
  },
  {
    id: 'quantity',
    header: 'Mailboxes',
    align: 'right',
    className: 'w-px tabular-nums',
    cell: ({ quantity }) => formatCount(quantity),
  },
]
