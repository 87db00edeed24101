import type { ReactNode } from 'react'
import type { InvoiceDocument } from '#contract/billing.ts'
import { formatAmount, formatRate } from '#contract/money.ts'
import { formatUtcDate } from '#web/lib/format.ts'
import { Card } from '#web/ui/data/card.tsx'
import { Cell, HeaderCell, Table, TableRowLine } from '#web/ui/data/data-table.tsx'

type InvoiceProps = { invoice: InvoiceDocument }

export const titleOf = ({ kind }: InvoiceDocument): string =>
  kind === 'credit' ? 'Credit note' : 'Invoice'

/** The document, the same as in the PDF file. On paper it is all there is. */
export function InvoicePaper({ invoice }: InvoiceProps) {
  const { seller, buyer, kind, number, note } = invoice
  return (
    <Card className="grid gap-6 p-5 sm:p-8 print:border-0 print:p-0 print:shadow-none">
      <p aria-hidden className="hidden font-semibold text-2xl tracking-tight print:block">
        {titleOf(invoice)} {number}
      </p>
      <dl className="grid gap-6 sm:grid-cols-2 lg:grid-cols-4 print:grid-cols-4">
        <Fact name="From">
          <Party {...seller} />
          <span>{seller.email}</span>
        </Fact>
        <Fact name="To">
          <Party {...buyer} />
        </Fact>
        <Fact name="Issued">
          <span>{formatUtcDate(invoice.date)}</span>
          <span>
            For {formatUtcDate(invoice.periodStart)} to {formatUtcDate(invoice.periodEnd)}
          </span>
        </Fact>
        {kind === 'invoice' ? (
          <Fact name="Due">{formatUtcDate(invoice.dueAt)}</Fact>
        ) : (
          <Fact name="Corrects">Invoice {invoice.corrects?.number}</Fact>
        )}
      </dl>
      {note !== '' && <p className="text-sm">{note}</p>}
      <Lines invoice={invoice} />
      <Totals invoice={invoice} />
      {kind === 'invoice' && <Terms invoice={invoice} />}
    </Card>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0 text-sm">
      <dt className="text-soft text-xs">{name}</dt>
      <dd className="wrap-anywhere mt-1 grid whitespace-pre-line">{children}</dd>
    </div>
  )
}

function Party({ name, address, vatId }: { name: string; address: string; vatId: string }) {
  return (
    <>
      <span className="font-medium">{name}</span>
      {address !== '' && <span>{address}</span>}
      {vatId !== '' && <span>VAT ID {vatId}</span>}
    </>
  )
}

function Lines({ invoice: { lines, currency } }: InvoiceProps) {
  return (
    <div className="-mx-5">
      <Table aria-label="Lines" className="tabular-nums">
        <thead>
          <tr>
            <HeaderCell>Mailboxes</HeaderCell>
            <HeaderCell className="text-right">Quantity</HeaderCell>
            <HeaderCell className="text-right max-sm:hidden print:table-cell">
              Price a month
            </HeaderCell>
            <HeaderCell className="text-right">Amount</HeaderCell>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ domain, quantity, unitCents, amountCents }) => (
            <TableRowLine key={`${domain} ${unitCents}`} className="break-inside-avoid">
              <Cell className="wrap-anywhere w-full">{domain}</Cell>
              <Cell className="text-right">{quantity}</Cell>
              <Cell className="text-right max-sm:hidden print:table-cell">
                {formatAmount(unitCents, currency)}
              </Cell>
              <Cell className="whitespace-nowrap text-right">
                {formatAmount(amountCents, currency)}
              </Cell>
            </TableRowLine>
          ))}
        </tbody>
      </Table>
    </div>
  )
}

function Totals({ invoice }: InvoiceProps) {
  const { netCents, taxName, taxRate, taxCents, amountCents, currency } = invoice
  return (
    <dl className="ml-auto grid w-full max-w-72 grid-cols-[1fr_auto] gap-x-6 gap-y-1.5 text-sm tabular-nums break-inside-avoid">
      {taxRate > 0 && (
        <>
          <dt className="text-soft">Net</dt>
          <dd className="text-right">{formatAmount(netCents, currency)}</dd>
          <dt className="text-soft">
            {taxName} {formatRate(taxRate)}
          </dt>
          <dd className="text-right">{formatAmount(taxCents, currency)}</dd>
        </>
      )}
      <dt className="font-semibold">Total {currency.toUpperCase()}</dt>
      <dd className="text-right font-semibold">{formatAmount(amountCents, currency)}</dd>
    </dl>
  )
}

function Terms({ invoice }: InvoiceProps) {
  const { amountCents, currency, dueAt, paymentDetails, seller } = invoice
  const howToPay = paymentDetails || (seller.email && `Ask ${seller.email} how to pay.`)
  return (
    <div className="grid gap-2 border-line border-t pt-5 text-sm break-inside-avoid">
      <p>
        Please pay {formatAmount(amountCents, currency)} by {formatUtcDate(dueAt)}.
      </p>
      {howToPay && <p className="wrap-anywhere whitespace-pre-line">{howToPay}</p>}
    </div>
  )
}
