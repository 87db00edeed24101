import { expect, test } from 'vitest'
import { junkSentence, pointsText } from './message-content.tsx'

const junk = (...reasons: [string, number][]) => ({
  score: 6,
  isJunk: true,
  reasons: reasons.map(([text, points]) => ({ text, points })),
})

test('the heaviest reason is told, the others are counted, and what speaks for the message is not among them', () => {
  expect(junkSentence(junk(['The attachment “a.exe” is a program', 6]))).toBe(
    'In Junk because the attachment “a.exe” is a program.',
  )
  expect(junkSentence(junk(['bank.example asks', 6], ['It has no date', 0.5], ['Liked', -1]))).toBe(
    'In Junk because bank.example asks, and for one more reason.',
  )
  expect(junkSentence(junk(['Its subject', 4], ['b', 2], ['c', 1]))).toBe(
    'In Junk because its subject, and for 2 more reasons.',
  )
})

test('what came into the Inbox and is in Junk was put there', () => {
  expect(junkSentence(null)).toBe('In Junk because it was put there by hand.')
  expect(junkSentence({ ...junk(['x', 1]), isJunk: false })).toContain('by hand')
})

test.each([
  [1.5, '+1.5'],
  [-2.5, '−2.5'],
  [0, '0'],
])('%s points are %s', (points, text) => {
  expect(pointsText(points)).toBe(text)
})
