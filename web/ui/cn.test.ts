import { expect, test } from 'vitest'
import { cn } from './cn.ts'

test.each([
  [['h-10 px-3 text-sm', 'h-9'], 'px-3 text-sm h-9'],
  [['size-8 absolute', false, 'size-7'], 'absolute size-7'],
  [['sm:max-w-md', 'max-w-lg'], 'sm:max-w-md max-w-lg'],
  [['w-px pr-0', undefined, 'px-4'], 'w-px pr-0 px-4'],
  [['max-h-[92dvh]', 'max-h-40'], 'max-h-40'],
  [['text-soft', 'text-ink'], 'text-soft text-ink'],
])('%j becomes %s', (classes, joined) => {
  expect(cn(...classes)).toBe(joined)
})
