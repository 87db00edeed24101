import { expect, test } from 'vitest'
import type { InvoiceDocument } from '#contract/billing.ts'
import { cardWords, type Return, wordsOf } from './card-words.ts'

const invoice = (given: Partial<InvoiceDocument>): InvoiceDocument => ({
  ...{ _id: '', number: 'MS-1', kind: 'invoice', productName: 'Mailbox x 2', isByCard: true },
  ...{ amountCents: 400, amount: 4, currency: 'usd', status: 'Due', payment: null, openCents: 400 },
  ...{ date: '2026-11-01T00:00:00.000Z', dueAt: '2026-11-15T00:00:00.000Z', paidAt: null },
  seller: { name: 'Post Office', address: '', vatId: '', email: '' },
  ...{ buyer: { name: 'Engines', address: '', vatId: '' }, lines: [], netCents: 400, note: '' },
  ...{ periodStart: '2026-11-01T00:00:00.000Z', periodEnd: '2026-11-30T23:59:59.999Z' },
  ...{ taxName: 'VAT', taxRate: 0, taxCents: 0, paymentDetails: '', corrects: null, credits: [] },
  ...given,
})

const said = (given: Partial<InvoiceDocument>, back: Return = null) => {
  const words = wordsOf(invoice(given), back)
  return words && [words.title, words.button ?? null]
}
const inState = (
  state: NonNullable<InvoiceDocument['payment']>['state'],
  reason = '',
  openCents = 400,
) => ({ payment: { state, reason }, openCents })

test.each<[string, Partial<InvoiceDocument>, Return, (string | null)[] | null]>([
  ['open', {}, null, ['$4.00 to pay', 'Pay by card']],
  ['paid by hand', { isByCard: false }, 'done', null],
  ['a credit note', { kind: 'credit' }, null, null],
  ['paid, read later', { status: 'Paid' }, null, null],
  ['paid a moment ago', { status: 'Paid' }, 'done', ['Thank you, the invoice is paid', null]],
  ['asked about', {}, 'asking', ['Payment is being confirmed', null]],
  ['asked about, and not paid', {}, 'done', ['$4.00 to pay', 'Pay by card']],
  ['cancelled', {}, 'cancelled', ['Nothing was charged', 'Pay by card']],
  [
    ...(['not to be asked about', {}, 'unknown'] as const),
    ['Stripe could not be asked about the payment', 'Check again'],
  ],
  ['confirming', inState('confirming'), null, ['Payment is being confirmed', null]],
  [
    'refused',
    inState('failed', 'The card has expired'),
    'done',
    ['The card was not charged', 'Pay by card'],
  ],
  [
    'a question',
    inState('needs confirmation', 'The bank asks'),
    null,
    ['The bank asks', 'Confirm the payment'],
  ],
  ['disputed', inState('disputed'), 'done', ['The bank is deciding about the payment', null]],
  [
    ...(['given back in part', inState('given back', '', 80), 'done'] as const),
    ['$0.80 was given back, and is open again', 'Pay by card'],
  ],
  [
    ...(['taken back', inState('taken back'), null] as const),
    ['The bank took $4.00 back, so it is open again', 'Pay by card'],
  ],
])('an invoice that is %s', (_name, given, back, expected) => {
  expect(said(given, back)).toEqual(expected)
})

test('only an invoice that was never paid speaks of what the saved card pays by itself', () => {
  const card = { brand: 'Visa', last4: '4242', expires: '2032-04' }
  expect(wordsOf(invoice({}), null)?.text).toBeNull()
  expect(cardWords(card)).toBe('Visa ending 4242 is charged soon, by itself.')
  for (const state of ['given back', 'taken back'] as const)
    expect(wordsOf(invoice(inState(state)), null)?.text).toContain('It is not charged by itself')
})
