import { expect, test } from 'vitest'
import { hasCapability, isOpenToAll, mayOpenLowPorts } from './low-ports.ts'

test.each([
  ['a service of systemd', 'CapPrm:\t0000000000000400\nCapEff:\t0000000000000400\n', true],
  ['root', 'CapEff:\t000001ffffffffff\n', true],
  ['a user who may get the right and has not', 'CapPrm:\t0400\nCapEff:\t0000000000000000\n', false],
  ['a user with another right', 'CapEff:\t0000000000000800\n', false],
  ['a system that does not say', '', false],
])('%s', (_who, status, may) => {
  expect(hasCapability(status)).toBe(may)
})

test.each([
  ['0\n', true],
  ['25\n', true],
  ['26\n', false],
  ['1024\n', false],
  ['', false],
])('ports that everybody may open begin at %j', (firstPort, may) => {
  expect(isOpenToAll(firstPort)).toBe(may)
})

test('root may in any case', () => {
  const isRoot = process.getuid?.() === 0
  expect(isRoot ? mayOpenLowPorts() : true).toBe(true)
})
