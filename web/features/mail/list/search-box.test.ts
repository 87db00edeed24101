import { expect, test } from 'vitest'
import { afterAddress, ask, startWith, type TypedSearch } from './search-box.tsx'

const typing = (now: TypedSearch, typed: string): TypedSearch => ({ ...now, typed })

test('what is typed before the address has followed stays', () => {
  const searched = ask(typing(startWith(''), 'mill '))
  const on = typing(searched, 'mill st')
  expect(afterAddress(on, 'mill')).toEqual({ typed: 'mill st', shown: 'mill', asked: [] })
  const both = ask(on)
  expect(afterAddress(both, 'mill')).toMatchObject({ typed: 'mill st', asked: ['mill st'] })
  // The address may pass one over.
  expect(afterAddress(both, 'mill st')).toMatchObject({ typed: 'mill st', asked: [] })
})

test('an address that changes by itself is what the box says', () => {
  const there = afterAddress(ask(typing(startWith(''), 'mill')), 'mill')
  expect(afterAddress(there, '')).toEqual(startWith(''))
  expect(afterAddress(afterAddress(there, ''), 'mill')).toEqual(startWith('mill'))
})
