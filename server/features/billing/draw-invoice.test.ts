import { expect, test } from 'vitest'
import type { InvoiceDocument } from '#contract/billing.ts'
import { newId } from '#server/lib/ids.ts'
import { pdfPages } from '#test-world/pdf-text.ts'
import { drawInvoice } from './draw-invoice.ts'

const anInvoice = (given: Partial<InvoiceDocument> = {}): InvoiceDocument => ({
  ...{ _id: newId(), number: 'MS-9F3A02-000042', kind: 'invoice', status: 'Due' },
  ...{ productName: 'Mailbox x 3', amountCents: 600, amount: 6, currency: 'eur' },
  ...{ date: '2026-11-25T10:00:00.000Z', dueAt: '2026-12-09T23:59:59.999Z' },
  ...{ periodStart: '2026-11-01T00:00:00.000Z', periodEnd: '2026-11-30T23:59:59.999Z' },
  seller: {
    ...{ name: 'Post Office GmbH', address: '1 High Street\n10115 Berlin', vatId: 'DE123456789' },
    email: 'money@post.example',
  },
  buyer: { name: 'Analytical Engines', address: '12 St James’s Square', vatId: 'GB 123 4567 89' },
  lines: [
    { domain: 'one.example', quantity: 2, unitCents: 200, amountCents: 400 },
    { domain: 'two.example', quantity: 1, unitCents: 200, amountCents: 200 },
  ],
  ...{ netCents: 504, taxName: 'VAT', taxRate: 1900, taxCents: 96, note: '' },
  ...{ paymentDetails: 'IBAN DE02 1203 0000\nBIC BYLADEM1001', paidAt: null, openCents: 600 },
  ...{ isByCard: false, payment: null },
  ...{ corrects: null, credits: [] },
  ...given,
})

/** The texts in their order; lines that were broken are not joined. */
const linesOf = async (invoice: InvoiceDocument): Promise<string[]> =>
  pdfPages(await drawInvoice(invoice)).flatMap((page) => page.split('\n'))

test('an invoice says who sells what to whom, for how much, and how to pay until when', async () => {
  expect(await linesOf(anInvoice())).toEqual([
    'Invoice MS-9F3A02-000042',
    ...['From', 'Post Office GmbH', '1 High Street', '10115 Berlin', 'VAT ID DE123456789'],
    ...['money@post.example', 'To', 'Analytical Engines', '12 St James’s Square'],
    ...['VAT ID GB 123 4567 89', 'Issued', '25 November 2026', 'For November 2026'],
    ...['Due', '9 December 2026', 'Mailboxes', 'Quantity', 'Price a month', 'Amount'],
    ...['one.example', '2', '€2.00', '€4.00', 'two.example', '1', '€2.00', '€2.00'],
    ...['Net', '€5.04', 'VAT 19%', '€0.96', 'Total EUR', '€6.00'],
    ...['Please pay €6.00 by 9 December 2026.', 'IBAN DE02 1203 0000', 'BIC BYLADEM1001'],
    'Post Office GmbH · Invoice MS-9F3A02-000042 · Page 1 of 1',
  ])
})

test('a credit note names its invoice and asks for nothing', async () => {
  const corrects = { _id: newId(), number: 'MS-9F3A02-000001', amountCents: 600 }
  const lines = await linesOf(
    anInvoice({
      ...{ kind: 'credit', status: 'Credited', amountCents: -400, taxRate: 0, corrects },
      lines: [{ domain: 'one.example', quantity: -2, unitCents: 200, amountCents: -400 }],
    }),
  )
  expect(lines.join(' ')).toMatch(/Corrects Invoice +MS-9F3A02-000001/)
  expect(lines).toEqual(expect.arrayContaining(['-2', '-€4.00', 'Total EUR']))
  expect(lines.join(' ')).not.toMatch(/pay|IBAN|VAT 0|Net/)
})

test('many clients go over pages, each under the headers and with its number', async () => {
  const lines = Array.from({ length: 120 }, (_, n) => ({
    domain: `client-${n}.example`,
    ...{ quantity: 1, unitCents: 200, amountCents: 200 },
  }))
  const pages = pdfPages(await drawInvoice(anInvoice({ lines })))
  expect(pages.length).toBeGreaterThan(3)
  for (const [at, page] of pages.entries()) {
    expect(page).toContain('Mailboxes\nQuantity\nPrice a month\nAmount')
    expect(page).toContain(`Page ${at + 1} of ${pages.length}`)
  }
  const named = pages.join('\n').match(/client-\d+\.example/g)
  expect(named).toEqual(lines.map(({ domain }) => domain))
})

test.each([
  ['Latin', 'Königlich-Preußische Łódź Ñandú'],
  ['Greek', 'Αθήνα'],
  ['Cyrillic', 'Москва и Київ'],
  ['Vietnamese', 'Nguyễn'],
])('shows a name in %s letters', async (_script, name) => {
  const lines = await linesOf(anInvoice({ buyer: { name, address: '', vatId: '' } }))
  expect(lines.join('')).toContain(name.replaceAll(' ', '').slice(0, 5))
  for (const word of name.split(' ')) expect(lines.join(' ')).toContain(word)
})

test.each([
  '中文有限公司',
  'شركة البريد الحديثة',
  'חברה שנייה',
  '🙂👩‍👩‍👧',
  '\ud800 \u202e \0 \u{10ffff}',
  'x'.repeat(1000),
  '',
])('draws any other text without failing: %j', async (name) => {
  const side = { name, address: name, vatId: name, email: name }
  const lines = [{ domain: name, quantity: 1, unitCents: 200, amountCents: 200 }]
  const texts = { seller: side, buyer: side, lines, note: name, paymentDetails: name }
  const pages = pdfPages(await drawInvoice(anInvoice(texts)))
  expect(pages.join('\n')).toContain('Invoice MS-9F3A02-000042')
})
