import { expect, test } from 'vitest'
import { baseSubjectOf } from './base-subject.ts'

test.each([
  ['Plan', 'Plan', false],
  ['  Plan   B ', 'Plan B', false],
  ['Re: Plan', 'Plan', true],
  ['RE : Fwd: fw:Plan', 'Plan', true],
  ['Re[2]: Plan', 'Plan', true],
  ['[list] Re: [list] Plan', 'Plan', true],
  ['Plan (fwd) (FWD) ', 'Plan', true],
  ['[Fwd: Re: Plan]', 'Plan', true],
  ['[list]', '[list]', false],
  ['[one] [two]', '[two]', false],
  ['Re:', '', true],
  ['Reply: Plan', 'Reply: Plan', false],
  ['', '', false],
])('%s', (subject, base, isAnswer) => {
  expect(baseSubjectOf(subject)).toEqual({ base, isAnswer })
})
