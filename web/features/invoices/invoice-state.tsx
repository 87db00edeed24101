import { Link } from 'react-router'
import type { InvoiceDocument } from '#contract/billing.ts'
import { formatAmount } from '#contract/money.ts'
import { formatUtcDate } from '#web/lib/format.ts'
import { paths } from '#web/paths.ts'
import { Status } from '#web/ui/data/badge.tsx'

type InvoiceProps = { invoice: InvoiceDocument }

const tones = { Due: 'warn', Paid: 'good', Credited: 'neutral' } as const

/** What became of it after it was issued: no part of the document. */
export function InvoiceState({ invoice }: InvoiceProps) {
  const { status, corrects, credits } = invoice
  const others = corrects ? [corrects] : credits
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Status tone={tones[status]}>{status}</Status>
      <span>{sentenceOf(invoice)}</span>
      {others.map(({ _id, number }) => (
        <Link
          key={_id}
          to={paths.invoice(_id)}
          className="rounded-sm text-accent-ink underline-offset-4 hover:underline"
        >
          {corrects ? 'Invoice' : 'Credit note'} {number}
        </Link>
      ))}
    </span>
  )
}

function sentenceOf(invoice: InvoiceDocument): string {
  const { status, kind, openCents, dueAt, paidAt, currency, payment } = invoice
  const sum = formatAmount(openCents, currency)
  if (payment?.state === 'disputed') return `${sum} waits for the bank`
  if (status === 'Due') return `${sum} to be paid by ${formatUtcDate(dueAt)}`
  if (status === 'Paid') return paidAt ? `on ${formatUtcDate(paidAt)}` : ''
  return kind === 'credit' ? 'Takes back what is not owed of' : 'Nothing is to be paid'
}
