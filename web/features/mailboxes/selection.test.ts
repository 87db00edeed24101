import { expect, test } from 'vitest'
import type { Mailbox } from '#contract/mailboxes.ts'
import {
  emptySelection,
  isSelected,
  type MailboxSelection,
  payable,
  selectionAfter,
  selectionAfterPayment,
} from './selection.ts'

const row = (_id: string, status: Mailbox['status'] = 'inactive') => ({ _id, status })
const rows = (...ids: string[]) => ids.map((id) => row(id))
const boxes = (selection: MailboxSelection, ...ids: string[]) =>
  rows(...ids).map((each) => isSelected(selection, each))
const shown = rows('a', 'b', 'c')
const everything = selectionAfter(emptySelection, { shown }, new Set(['a', 'b', 'c']))

test('at first all that can be paid is selected, also what has not been read yet', () => {
  expect(boxes(payable, 'never seen')).toEqual([true])
  expect(isSelected(payable, row('paid', 'active'))).toBe(false)
  expect(isSelected(payable, row('halted', 'suspended'))).toBe(false)
})

test('one box unticked leaves the rest, read or not', () => {
  const after = selectionAfter(everything, { shown }, new Set(['a', 'c']))
  expect(boxes(after, 'a', 'b', 'c', 'later')).toEqual([true, false, true, true])
})

test('unticking all deselects what has not been read yet', () => {
  const none = selectionAfter(everything, { shown }, new Set())
  expect(boxes(none, 'later')).toEqual([false])
  const one = selectionAfter(none, { shown }, new Set(['b']))
  expect(boxes(one, 'a', 'b', 'c', 'later')).toEqual([false, true, false, false])
  const all = selectionAfter(one, { shown }, new Set(['a', 'b', 'c']))
  expect(boxes(all, 'later')).toEqual([true])
})

test('an exception that is not on the screen is kept', () => {
  const before = { base: 'all', exceptions: new Set(['elsewhere']) } as const
  const after = selectionAfter(before, { shown }, new Set(['a', 'b']))
  expect(boxes(after, 'elsewhere', 'c')).toEqual([false, false])
})

test('while a search narrows the list, what it leaves out keeps its box', () => {
  const found = { shown: rows('a'), unread: rows('a2'), isSearch: true }
  const none = selectionAfter(everything, found, new Set())
  expect(boxes(none, 'a', 'a2', 'b', 'c')).toEqual([false, false, true, true])
  const unticked = selectionAfter(everything, { shown }, new Set(['a', 'c']))
  const again = selectionAfter(unticked, found, new Set(['a']))
  expect(boxes(again, 'b')).toEqual([false])
})

test('after a payment only what can still be paid is selected, unless it was left out', () => {
  const unticked = selectionAfter(everything, { shown }, new Set(['a', 'c']))
  const paid = selectionAfterPayment(unticked, shown)
  expect(isSelected(paid, row('a', 'active'))).toBe(false)
  expect(isSelected(paid, row('suspended', 'suspended'))).toBe(false)
  expect(boxes(paid, 'b', 'made later')).toEqual([false, true])
  const ticked = selectionAfter(
    paid,
    { shown: [row('a', 'active'), row('b'), row('c', 'active')] },
    new Set(['a', 'b']),
  )
  expect(isSelected(ticked, row('a', 'active'))).toBe(true)
  expect(isSelected(ticked, row('c', 'active'))).toBe(false)
  expect(boxes(ticked, 'b')).toEqual([true])
})
