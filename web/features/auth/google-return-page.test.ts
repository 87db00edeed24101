import { expect, test } from 'vitest'
import { isComplete } from './google-return-page.tsx'

const google = { googleIsGoogle: true }
const another = { googleIsGoogle: false }

test.each([
  ['code=a&scope=b&authuser=0&prompt=none', google, true],
  ['code=a&scope=b&authuser=0&prompt=none&hd=example.com&state=s', google, true],
  ['code=a&scope=b&authuser=0', google, false],
  ['code=a&scope=b&prompt=none', google, false],
  ['code=a&authuser=0&prompt=none', google, false],
  ['code=&scope=b&authuser=0&prompt=none', google, false],
  ['code=a&state=s', google, false],
  ['code=a&state=s', another, true],
  ['code=a', another, false],
  ['state=s', another, false],
])('%s of %j is complete: %s', (query, installation, expected) => {
  expect(isComplete(new URLSearchParams(query), installation)).toBe(expected)
})
