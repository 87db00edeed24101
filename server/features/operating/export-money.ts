/** What an accountant needs of a month or a quarter, as CSV: documents, payments, and what was given back (decision 123). */
import { invalidField } from '#contract/errors.ts'
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

/** `period`: '2026-11' or '2026-Q4', in UTC. @throws VALIDATION */
export const exportMoney = async (db: Db, period: string): Promise<string> => {
  const time = periodOf(period)
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
  return [HEAD, ...rows].map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('')
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
const money = (cents: number): string => {
  const whole = Math.trunc(Math.abs(cents) / 100)
  return `${cents < 0 ? '-' : ''}${whole}.${String(Math.abs(cents) % 100).padStart(2, '0')}`
}

const quoted = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

const periodOf = (text: string): Period => {
  const [, year = '', month, quarter] = /^(20\d\d)-(?:(0[1-9]|1[0-2])|Q([1-4]))$/.exec(text) ?? []
  if (year === '') throw invalidField('period', 'A period is a month such as 2026-11, or 2026-Q4')
  const first = month ? Number(month) - 1 : (Number(quarter) - 1) * 3
  const start = (months: number) => new Date(Date.UTC(Number(year), months, 1))
  return { from: start(first), until: start(first + (month ? 1 : 3)) }
}
