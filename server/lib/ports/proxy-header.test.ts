import { describe, expect, test } from 'vitest'
import { readProxyHeader } from './proxy-header.ts'

const line = (text: string) => Buffer.from(text, 'latin1')
const SIGNATURE = '0d0a0d0a000d0a515549540a'
const bytes = (hex: string) => Buffer.from(`${SIGNATURE}${hex.replaceAll(' ', '')}`, 'hex')

describe('a header says whose connection it is', () => {
  test.each([
    ['IPv4 in a line', line('PROXY TCP4 192.0.2.9 198.51.100.1 56324 25\r\n'), '192.0.2.9', 56_324],
    ['IPv6 in a line', line('PROXY TCP6 2001:DB8::9 2001:db8::1 1 993\r\n'), '2001:db8::9', 1],
    ['IPv4 written as IPv6', line('PROXY TCP6 ::ffff:192.0.2.9 ::1 7 25\r\n'), '192.0.2.9', 7],
    ['IPv4 in bytes', bytes('21 11 000c c0000209 c6336401 dc04 0019'), '192.0.2.9', 56_324],
    [
      'IPv6 in bytes, with an extension',
      bytes(`21 21 0029 20010db8${'00'.repeat(11)}09 ${'00'.repeat(15)}01 0007 0019 04 0002 0000`),
      ...(['2001:db8::9', 7] as const),
    ],
  ])('%s', (_what, header, address, port) => {
    expect(readProxyHeader(Buffer.concat([header, line('EHLO x\r\n')]))).toEqual({
      ...{ length: header.length, client: { address, port } },
    })
  })
})

describe('or that the balancer speaks for itself', () => {
  test.each([
    ['unknown in a line', line('PROXY UNKNOWN\r\n')],
    ['unknown, with what it knows', line('PROXY UNKNOWN ffff::1 ffff::2 65535 65535\r\n')],
    ['LOCAL', bytes('20 00 0000')],
    ['LOCAL, with an address', bytes('20 11 000c c0000209 c6336401 dc04 0019')],
    ['a socket of its system', bytes(`21 31 00d8 ${'00'.repeat(216)}`)],
  ])('%s', (_what, header) => {
    expect(readProxyHeader(header)).toEqual({ length: header.length, client: null })
  })
})

test('any start of a header is waited for', () => {
  for (const header of [
    line('PROXY TCP4 192.0.2.9 198.51.100.1 56324 25\r\n'),
    bytes('21 11 000c c0000209 c6336401 dc04 0019'),
  ])
    for (let length = 0; length < header.length; length++)
      expect(readProxyHeader(header.subarray(0, length)), `${length} bytes`).toBe('more')
})

test.each([
  ['a command of SMTP', line('EHLO x\r\n')],
  ['a request of TLS', Buffer.from('160301', 'hex')],
  ['a line without end', line(`PROXY TCP4 ${'1'.repeat(200)}`)],
  ['an address that is none', line('PROXY TCP4 192.0.2 198.51.100.1 1 25\r\n')],
  ['an address of the other kind', line('PROXY TCP4 2001:db8::9 198.51.100.1 1 25\r\n')],
  ['no port', line('PROXY TCP4 192.0.2.9 198.51.100.1\r\n')],
  ['another kind', line('PROXY UDP4 192.0.2.9 198.51.100.1 1 25\r\n')],
  ['version 3', bytes('31 11 000c c0000209 c6336401 dc04 0019')],
  ['an unknown command', bytes('22 11 000c c0000209 c6336401 dc04 0019')],
  ['too short for its address', bytes('21 11 0008 c0000209 c6336401')],
  ['one of 60 kB', bytes('21 11 ea60 c0000209')],
])('%s is no header', (_what, header) => {
  expect(readProxyHeader(header)).toBe('wrong')
})
