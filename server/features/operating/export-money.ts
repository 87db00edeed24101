/** What an accountant needs of some months, as CSV: documents, payments, and what was given back (decision 123). */
import { invalidField } from '#contract/errors.ts'
import {
  type MoneyFormat,
  type MoneyMonths,
  monthsSinceZero,
  wrongMonths,
} from '#contract/operator/invoices.ts'
import { spreadsheetText } from '#contract/spreadsheet.ts'
import { type Period, readDocuments, readMoved } from '#server/features/billing/money-queries.ts'
import { invoiceNumber } from '#server/features/billing/to-invoice.ts'
import type { Db } from '#server/storage/database.ts'

const HEAD = [
  ...['What', 'Number', 'Date', 'Buyer', 'VAT ID', 'Net', 'Tax', 'Gross', 'Currency'],
  ...['Payment at Stripe', 'State'],
]

type Row = {
  series: string
  number: number
  at: Date | null
  buyerName: string
  buyerVatId: string
}

/** `decimal`: as the spreadsheet reads sums. @throws VALIDATION */
export const exportMoney = async (
  db: Db,
  months: MoneyMonths,
  { separator = ',', decimal = '.' }: MoneyFormat = {},
): Promise<string> => {
  const time = periodOf(months)
  const money = (cents: number) => sumText(cents, decimal)
  const [documents, moved] = await Promise.all([readDocuments(db, time), readMoved(db, time)])
  const rows = [
    ...documents.map((row) => [
      ...[row.kind === 'credit' ? 'Credit note' : 'Invoice', ...sides(row)],
      ...[money(row.amountCents - row.taxCents), money(row.taxCents), money(row.amountCents)],
      ...[row.currency.toUpperCase(), '', row.status],
    ]),
    ...moved.map((row) => [
      ...[wordOf(row), ...sides(row), '', '', money(row.cents)],
      ...[row.currency.toUpperCase(), row.paymentIntentId ?? '', isPayment(row) ? 'Paid' : 'Done'],
    ]),
  ]
  return [HEAD, ...rows].map((cells) => `${cells.map(quoted).join(separator)}\r\n`).join('')
}

const sides = ({ at, buyerName, buyerVatId, ...row }: Row): string[] => [
  ...[invoiceNumber(row), at?.toISOString().slice(0, 10) ?? ''],
  ...[spreadsheetText(buyerName), spreadsheetText(buyerVatId)],
]

const words = {
  card: ['Payment', 'Payment'],
  hand: ['Payment by hand', 'Payment by hand'],
  refund: ['Refund', 'Refund that came back'],
  return: ['Returned at Stripe or by a bank', 'Return that came back'],
} as const

const isPayment = ({ kind }: { kind: keyof typeof words }): boolean =>
  kind === 'card' || kind === 'hand'

const wordOf = ({ kind, cents }: { kind: keyof typeof words; cents: number }): string => {
  const [out, back] = words[kind]
  return cents < 0 ? out : back
}

/** Without a float: '-2.05'. */
const sumText = (cents: number, decimal: string): string => {
  const whole = Math.trunc(Math.abs(cents) / 100)
  return `${cents < 0 ? '-' : ''}${whole}${decimal}${String(Math.abs(cents) % 100).padStart(2, '0')}`
}

const quoted = (text: string): string =>
  /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

const periodOf = (months: MoneyMonths): Period => {
  const wrong = wrongMonths(months)
  if (wrong !== null) throw invalidField('lastMonth', wrong)
  const { firstMonth, lastMonth } = months
  return {
    from: startOf(monthsSinceZero(firstMonth)),
    until: startOf(monthsSinceZero(lastMonth) + 1),
  }
}

const startOf = (months: number): Date => new Date(Date.UTC(Math.floor(months / 12), months % 12))
