import { expect, test } from 'vitest'
import type { SandboxMistake } from '#contract/dns/sandbox.ts'
import { groupsOf } from './mistakes-card.tsx'

test('no heading stands over nothing, as that of a second key that nobody asked for', () => {
  const mistake = { id: 'spf-two', title: 'Two SPF records', text: '', isMade: false }
  const mistakes: SandboxMistake[] = [
    { ...mistake, id: 'gone', group: 'zone' },
    { ...mistake, group: 'spf' },
  ]
  expect(groupsOf(mistakes)).toEqual([
    { name: 'SPF', mistakes: [mistakes[1]] },
    { name: 'The whole zone', mistakes: [mistakes[0]] },
  ])
})
