import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isWithin, type ListEntry, openSenderList, readListed, shownListed } from './sender-list.ts'

const now = new Date('2026-11-27T12:00:00Z')

describe('what may be listed', () => {
  test.each([
    ['192.0.2.25', 'network', '192.0.2.25/32', '192.0.2.25'],
    [' 192.0.2.77/24 ', 'network', '192.0.2.0/24', '192.0.2.0/24'],
    ['2001:DB8:0::5/33', 'network', '2001:db8::/33', '2001:db8::/33'],
    ['2001:db8::5', 'network', '2001:db8::5/128', '2001:db8::5'],
    ['::ffff:192.0.2.1', 'network', '192.0.2.1/32', '192.0.2.1'],
    ['Eve@Casino.Example', 'address', 'eve@casino.example', 'eve@casino.example'],
    ['casino.example.', 'domain', 'casino.example', 'casino.example'],
    ['*.casino.example', 'domain', 'casino.example', 'casino.example'],
    ['@casino.example', 'domain', 'casino.example', 'casino.example'],
    ['größe.example', 'domain', 'xn--gre-6ka8i.example', 'xn--gre-6ka8i.example'],
  ] as const)('%s is the %s %s', (typed, kind, value, shown) => {
    const listed = readListed(typed)
    expect(listed).toEqual({ kind, value })
    expect('refusal' in listed ? '' : shownListed(listed)).toBe(shown)
  })

  test.each([
    ['0.0.0.0/0', /too wide/],
    ['10.0.0.0/7', /The widest is \/8/],
    ['::/0', /The widest is \/16/],
    ['192.0.2.0/33', /from 8 to 32/],
    ['::ffff:192.0.2.1/120', /from 8 to 32/],
    ['192.0.2.0/', /from 8 to 32/],
    ['192.0.2', /written whole/],
    ['casino.example/24', /written like/],
    ['co.uk', /public suffix/],
    ['com', /public suffix|Invalid domain/],
    ['eve@', /no e-mail address/],
    ['', /Invalid domain/],
    ['fe80::1%eth0', /written whole/],
  ])('%s is refused', (typed, refusal) => {
    expect(readListed(typed)).toEqual({ refusal: expect.stringMatching(refusal) })
  })

  test('never throws, and reads what it wrote as the same', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.ipV4Extended(),
          fc.tuple(fc.ipV6(), fc.nat(140)).map(([ip, bits]) => `${ip}/${bits}`),
          fc.emailAddress(),
        ),
        (typed) => {
          const listed = readListed(typed)
          if (!('refusal' in listed)) expect(readListed(shownListed(listed))).toEqual(listed)
        },
      ),
    )
  })
})

const entry = (
  value: string,
  action: ListEntry['action'] = 'block',
  endsAt: Date | null = null,
) => {
  const listed = readListed(value)
  if ('refusal' in listed) throw new Error(listed.refusal)
  return { ...listed, action, endsAt }
}

describe('a list', () => {
  const list = openSenderList([
    entry('192.0.2.0/24'),
    entry('192.0.2.25', 'allow'),
    entry('2001:db8::/32'),
    entry('198.51.100.0/24', 'block', new Date('2026-11-27T11:59:59Z')),
    entry('casino.example'),
    entry('good.casino.example', 'allow'),
    entry('eve@good.casino.example'),
  ])

  test.each([
    ['192.0.2.1', 'block'],
    ['192.0.2.25', 'allow'],
    ['::ffff:192.0.2.1', 'block'],
    ['2001:db8:ffff::1', 'block'],
    ['2001:db9::1', undefined],
    ['192.0.3.1', undefined],
    ['198.51.100.7', undefined],
    ['nothing', undefined],
  ])('of the address %s: %s', (ip, action) => {
    expect(list.network(ip, now)?.action).toBe(action)
  })

  test.each([
    ['bob@casino.example', 'block'],
    ['BOB@Deep.Casino.Example', 'block'],
    ['bob@good.casino.example', 'allow'],
    ['bob@a.good.casino.example', 'allow'],
    ['Eve@good.casino.example', 'block'],
    ['bob@notcasino.example', undefined],
    ['bob@example', undefined],
    ['', undefined],
  ])('of the sender %s: %s', (address, action) => {
    expect(list.sender(address, now)?.action).toBe(action)
  })

  test('a network contains an address when their first bits are the same', () => {
    const bits = (ip: string) =>
      ip
        .split('.')
        .map((byte) => Number(byte).toString(2).padStart(8, '0'))
        .join('')
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV4(), fc.integer({ min: 8, max: 32 }), (one, other, length) => {
        const network = readListed(`${one}/${length}`)
        const value = 'refusal' in network ? '' : network.value
        expect(isWithin(value, one)).toBe(true)
        const isSame = bits(one).slice(0, length) === bits(other).slice(0, length)
        expect(isWithin(value, other)).toBe(isSame)
      }),
    )
  })

  test('ten thousand networks are told apart', () => {
    const many = openSenderList(
      Array.from({ length: 10_000 }, (_, n) => entry(`10.${n >> 8}.${n & 255}.0/24`)),
    )
    expect(many.network('10.39.15.9', now)?.value).toBe('10.39.15.0/24')
    expect(many.network('10.39.16.9', now)).toBe(null)
  })
})
