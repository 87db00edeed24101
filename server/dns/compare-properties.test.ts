import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ResourceRecord, ServerAnswer } from '#server/lib/dns/dns.ts'
import { anyCharacter } from '#test-world/any-character.ts'
import { DKIM, DOMAIN, MAIL_HOST, PUBLIC_KEY, SENDER_IP, TOKEN } from '#test-world/dns/mistakes.ts'
import { compareDkim } from './compare-dkim.ts'
import { compareDmarc } from './compare-dmarc.ts'
import { compareMx } from './compare-mx.ts'
import { compareOwnership } from './compare-ownership.ts'
import { compareSpf } from './compare-spf.ts'
import { judgeObservation } from './judge-observation.ts'
import { valuesIn } from './seen.ts'
import type { Verdict } from './verdict.ts'

const senders = { ips: [SENDER_IP], mechanisms: [`ip4:${SENDER_IP}`] }
const spf = (values: string[], pieces?: string[][]) =>
  compareSpf(values, {
    name: DOMAIN,
    mailHost: MAIL_HOST,
    senders,
    lookUp: async () => ({ outcome: 'none' }),
    ...(pieces && { pieces }),
  })
const mx = (hosts: string[]) =>
  hosts.map((data, preference): ResourceRecord => {
    return { name: DOMAIN, type: 'MX', ttlSeconds: 1, data, preference }
  })

const compared = (values: string[]): (Verdict | Promise<Verdict>)[] => [
  compareOwnership(values, `_mailstead.${DOMAIN}`, TOKEN),
  compareDkim(values, `ms1._domainkey.${DOMAIN}`, PUBLIC_KEY),
  compareDmarc(values, `_dmarc.${DOMAIN}`),
  compareMx(mx(values), DOMAIN, MAIL_HOST),
  spf(values),
]

/** Fragments of real records, with arbitrary text between them. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...['v=spf1', ' ', '"', '\\', '-all', 'include:', '%{', 'redirect=', 'ip4:', '/', ';', '='],
        ...[
          'v=DKIM1',
          'p=',
          'k=rsa',
          PUBLIC_KEY,
          PUBLIC_KEY.slice(0, 200),
          DKIM,
          'v=DMARC1',
          'p=none',
        ],
        ...['rua=mailto:', TOKEN, 'mailstead-verify', '\0', '\u202e', '<script>', '\ud800', '.'],
      ),
      fc.string({ unit: anyCharacter, maxLength: 12 }),
    ),
    { maxLength: 10 },
  )
  .map((parts) => parts.join(''))
const values = fc.array(text, { maxLength: 4 })

test('no text in DNS makes a comparison throw, and every verdict reads as sentences', async () => {
  await fc.assert(
    fc.asyncProperty(values, async (given) => {
      for (const { state, explanation, fix, found } of await Promise.all(compared(given))) {
        if (state !== 'verified') {
          expect(explanation).toMatch(/[.…]$/)
          expect(fix).toMatch(/[.…]$/)
        }
        for (const said of [explanation, fix, ...found]) {
          expect(said).not.toMatch(/[\p{Cc}\p{Cf}]/u)
          expect(said.length).toBeLessThanOrEqual(1001)
        }
      }
    }),
    { numRuns: 1000 },
  )
})

test('the order of the records changes no state', async () => {
  await fc.assert(
    fc.asyncProperty(values, async (given) => {
      const one = await Promise.all(compared(given))
      const other = await Promise.all(
        compared(given.toReversed()).with(3, compareMx(mx(given).reverse(), DOMAIN, MAIL_HOST)),
      )
      expect(other.map(({ state }) => state)).toEqual(one.map(({ state }) => state))
    }),
    { numRuns: 500 },
  )
})

/** The same text, split into other strings. */
const cut = (whole: string, at: number[]): string[] => {
  const places = [0, ...at.map((each) => each % whole.length).sort((a, b) => a - b), whole.length]
  return places.slice(1).map((end, n) => whole.slice(places[n], end))
}

test('how a right record is cut into strings, spaced and cased makes no difference', async () => {
  const spfRecord = `v=spf1 ip4:${SENDER_IP} -all`
  const cuts = fc.array(fc.nat(), { maxLength: 6 })
  const tags = fc.shuffledSubarray(['k=rsa', 't=s', 'n=a note', `p=${PUBLIC_KEY}`], {
    minLength: 4,
  })
  const gap = fc.constantFrom('', ' ', '\t', '  ')
  await fc.assert(
    fc.asyncProperty(cuts, tags, gap, fc.boolean(), async (at, parts, space, isUpper) => {
      const strings = cut(spfRecord, at)
      expect((await spf([strings.join('')], [strings])).state).toBe('verified')
      expect((await spf([isUpper ? spfRecord.toUpperCase() : spfRecord])).state).toBe('verified')
      const key = `v=DKIM1;${parts.map((part) => `${space}${part.replace('=', `${space}=${space}`)}`).join(`${space};`)}`
      expect(compareDkim([key], 'k', PUBLIC_KEY).state).toBe('verified')
      const spaced = cut(PUBLIC_KEY, at).join(space)
      expect(compareDkim([`v=DKIM1; p=${spaced}`], 'k', PUBLIC_KEY).state).toBe('verified')
      const host = isUpper ? MAIL_HOST.toUpperCase() : MAIL_HOST
      expect(compareMx(mx([host]), DOMAIN, MAIL_HOST).state).toBe('verified')
      const policy = `v=DMARC1${space};${space}p${space}=${space}${isUpper ? 'REJECT' : 'reject'}`
      expect(compareDmarc([policy], 'd').state).toBe('verified')
    }),
    { numRuns: 300 },
  )
})

const answer = (change: Partial<ServerAnswer>): ServerAnswer => ({
  server: '192.0.2.53',
  host: '',
  outcome: 'found',
  fault: null,
  reason: '',
  rcode: 'NOERROR',
  isAuthoritative: true,
  latencyMs: 1,
  records: [],
  chain: [],
  ttlSeconds: 60,
  ...change,
})

test('whoever answers in whatever order, a verdict needs a definite answer, and the zone decides before a cache', async () => {
  const txt = (data: string): ResourceRecord => ({ name: 'x', type: 'TXT', ttlSeconds: 60, data })
  const right = answer({ host: 'right', records: [txt(TOKEN)] })
  const old = answer({ host: 'old', records: [txt('mailstead-verify=old')] })
  const missing = answer({ host: 'missing', outcome: 'none', rcode: 'NXDOMAIN' })
  const lame = answer({ host: 'lame', outcome: 'unknown', fault: 'lame', reason: 'lame' })
  const silent = answer({ host: 'silent', outcome: 'unknown', fault: 'timeout', reason: 'silent' })
  const some = fc.array(fc.constantFrom(right, old, missing, lame, silent), { maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(some, some, async (authorities, resolvers) => {
      const judge = (own: ServerAnswer[], others: ServerAnswer[]) =>
        judgeObservation(
          { name: 'x', type: 'TXT', zone: 'x', authorities: own, resolvers: others },
          (seen) => compareOwnership(valuesIn(seen), 'x', TOKEN),
        )
      const { state } = await judge(authorities, resolvers)
      expect((await judge(authorities.toReversed(), resolvers)).state).toBe(state)
      const definite = authorities.filter(({ outcome }) => outcome !== 'unknown')
      if (definite.length === 0 && resolvers.every(({ outcome }) => outcome === 'unknown'))
        expect(state).toBe('unknown')
      else expect(state).not.toBe('unknown')
      if (definite.length > 0)
        expect(state === 'verified').toBe(definite.every((each) => each === right))
    }),
    { numRuns: 500 },
  )
})

test('name servers that say the same in another order and in other strings agree', async () => {
  const cuts = fc.array(fc.nat(), { maxLength: 4 })
  const texts = fc.array(fc.oneof(text, fc.constantFrom(TOKEN, DKIM)), {
    minLength: 1,
    maxLength: 4,
  })
  const record = (data: string, at: number[]): ResourceRecord => {
    const strings = data === '' ? [''] : cut(data, at)
    return { name: 'x', type: 'TXT', ttlSeconds: 60, data, strings }
  }
  await fc.assert(
    fc.asyncProperty(texts, cuts, fc.boolean(), async (given, at, isReversed) => {
      const one = answer({ host: 'one', records: given.map((data) => record(data, [])) })
      const others = (isReversed ? given.toReversed() : given).map((data) => record(data, at))
      const other = answer({ host: 'other', records: others })
      const judge = (...authorities: ServerAnswer[]) =>
        judgeObservation(
          { name: 'x', type: 'TXT', zone: 'x', authorities, resolvers: [] },
          (seen) => compareOwnership(valuesIn(seen), 'x', TOKEN),
        )
      const { state } = await judge(one)
      expect((await judge(one, other)).state).toBe(state)
      expect((await judge(other, one)).state).toBe(state)
      expect((await judge(one, other)).explanation).not.toContain('do not agree')
    }),
    { numRuns: 300 },
  )
})
