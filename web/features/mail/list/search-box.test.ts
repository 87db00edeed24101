import { expect, test } from 'vitest'
import { afterUrlChange, type SearchBoxState, startState, submit } from './search-box.tsx'

const typing = (now: SearchBoxState, typed: string): SearchBoxState => ({ ...now, typed })

test('what is typed before the address has followed stays', () => {
  const searched = submit(typing(startState(''), 'mill '))
  const on = typing(searched, 'mill st')
  expect(afterUrlChange(on, 'mill')).toEqual({ typed: 'mill st', urlSearch: 'mill', pending: [] })
  const both = submit(on)
  expect(afterUrlChange(both, 'mill')).toMatchObject({ typed: 'mill st', pending: ['mill st'] })
  // The URL may skip one.
  expect(afterUrlChange(both, 'mill st')).toMatchObject({ typed: 'mill st', pending: [] })
})

test('an address that changes by itself is what the box says', () => {
  const there = afterUrlChange(submit(typing(startState(''), 'mill')), 'mill')
  expect(afterUrlChange(there, '')).toEqual(startState(''))
  expect(afterUrlChange(afterUrlChange(there, ''), 'mill')).toEqual(startState('mill'))
})
