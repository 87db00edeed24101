import { expect, test } from 'vitest'
import { formatAmount, formatCents, formatRate, taxIn } from './money.ts'

test('sums are in their currency, with cents where there are any', () => {
  const texts = [0, 200, 12_850, 1_000_000, -400].map((cents) => formatCents(cents))
  expect(texts).toEqual(['$0', '$2', '$128.50', '$10,000', '-$4'])
  expect([formatCents(200, 'eur'), formatCents(-250, 'chf')]).toEqual(['€2', '-CHF 2.50'])
})

test('a document has cents everywhere', () => {
  const texts = [0, 5, -5, 200, 123_456_789].map((cents) => formatAmount(cents, 'gbp'))
  expect(texts).toEqual(['£0.00', '£0.05', '-£0.05', '£2.00', '£1,234,567.89'])
})

test.each([
  [1190, 1900, 190],
  [-1190, 1900, -190],
  [1081, 810, 81],
  [200, 1900, 32],
  [200, 0, 0],
])('%d cents contain at %d hundredths of a percent %d cents of tax', (cents, rate, tax) => {
  expect(taxIn(cents, rate)).toBe(tax)
})

test('a rate has as many digits as it needs', () => {
  expect([1900, 810, 775, 0].map(formatRate)).toEqual(['19%', '8.1%', '7.75%', '0%'])
})
