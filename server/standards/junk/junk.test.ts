import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCharacter } from '#test-world/any-character.ts'
import { computingMsOf } from '#test-world/processor-time.ts'
import { digestOf } from '../message-digest.ts'
import { headerLinesOf } from '../message-lines.ts'
import { parseMessage, unreadableEmail } from '../message-text.ts'
import { isListing, reversedAddress } from './dnsbl.ts'
import { emptyModel, type JunkModel, learn, likenessOf } from './junk-model.ts'
import type { MailFacts } from './junk-rule.ts'
import { JUNK_AT, learntReason, ownNameReason, reasonsOf, scoreOf } from './junk-score.ts'
import { contentFactsOf, headerFactsOf } from './mail-facts.ts'
import { tokensOf } from './tokens.ts'

const at = new Date('2026-11-20T12:00:00Z')
const good = `From: Grace <grace@navy.com>\r\nTo: ada@ours.com\r\nSubject: Lunch\r\nDate: Fri, 20 Nov 2026 11:00:00 +0000\r\nMessage-ID: <1@navy.com>\r\n`

type Given = {
  head?: string
  body?: string
  checks?: Partial<MailFacts['checks']>
} & Partial<Omit<MailFacts, 'checks'>>

const factsOf = async ({ head = good, body = 'Hello\r\n', checks, ...rest }: Given = {}) => {
  const raw = Buffer.from(`${head}${head.endsWith('\r\n\r\n') ? '' : '\r\n'}${body}`)
  const email = await parseMessage(raw)
  const digest = digestOf(email === null || email === 'too-deep' ? unreadableEmail : email)
  const facts: MailFacts = {
    checks: { spf: 'none', dkim: 'none', dmarc: 'none', ...checks },
    isQuarantined: false,
    allowedAs: null,
    mailFrom: 'grace@navy.com',
    from: digest.from,
    subject: digest.subject,
    header: headerFactsOf(headerLinesOf(raw)),
    content: digest.content,
    client: { helo: 'mx.navy.com', ip: '192.0.2.7', hasReverseName: true },
    mailHost: 'mail.mailstead.test',
    at,
    ...rest,
  }
  return { facts, digest }
}

const plain = { isQuarantined: false, allowedAs: null }

const attached = (name: string) =>
  `${good}MIME-Version: 1.0\r\nContent-Type: application/octet-stream; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\n`
const html = `${good}MIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n`
const fields = (from: string, to: string) => good.replace(from, to)

describe('rules', () => {
  test('an ordinary message gives no reason, whatever checks are missing', async () => {
    expect(reasonsOf((await factsOf()).facts)).toEqual([])
  })

  test('all checks that can fail together do not make junk; a domain that asks for it does', async () => {
    const failed = { spf: 'fail', dkim: 'fail', dmarc: 'fail' }
    const { facts } = await factsOf({ checks: failed })
    const reasons = [...reasonsOf(facts), ...ownNameReason(facts, 'navy.com')]
    expect(reasons).toHaveLength(3)
    expect(scoreOf(reasons, facts)).toMatchObject({ score: 4.5, isJunk: false })
    const asked = await factsOf({ checks: failed, isQuarantined: true })
    const score = scoreOf(reasonsOf(asked.facts), asked.facts)
    expect(score.isJunk).toBe(true)
    expect(score.reasons[0]?.text).toBe(
      'navy.com asks to put mail aside that cannot be verified as its own, and this one could not be (DMARC)',
    )
    const liked = [...reasonsOf(asked.facts), { text: 'liked', points: -4 }]
    expect(scoreOf(liked, asked.facts)).toMatchObject({ isJunk: true })
  })

  test('what an operator allows is no junk, and says why', async () => {
    const { facts } = await factsOf({ isQuarantined: true, allowedAs: 'navy.com' })
    const score = scoreOf([{ text: 'bad', points: 9 }], facts)
    expect(score).toMatchObject({ score: 9, isJunk: false })
    expect(score.reasons[1]?.text).toBe(
      'The operator of this installation allows mail from navy.com',
    )
  })

  test.each<[string, Given, RegExp, number]>([
    ['DMARC failed', { checks: { dmarc: 'fail' } }, /comes from navy\.com \(DMARC\)/, 1.5],
    ['SPF failed', { checks: { spf: 'fail' } }, /none of those that navy\.com lists/, 1.5],
    ['SPF in doubt', { checks: { spf: 'softfail' } }, /none of those that navy\.com lists/, 0.5],
    [
      'a name that is another address',
      { head: fields('Grace <', '"help@bank.com" <') },
      /shows the name help@bank\.com, but writes from grace@navy\.com/,
      2.5,
    ],
    ['no sender', { head: fields('From: Grace <grace@navy.com>\r\n', '') }, /no sender/, 1],
    [
      'answers elsewhere',
      { head: `${good}Reply-To: <x@cheap.net>\r\n` },
      /another domain, cheap\.net/,
      1,
    ],
    [
      'our name in HELO',
      { client: { helo: 'mail.mailstead.test', ip: '192.0.2.7', hasReverseName: null } },
      /by the name of this one/,
      2.5,
    ],
    [
      'no name in HELO',
      { client: { helo: '[192.0.2.7]', ip: '192.0.2.7', hasReverseName: null } },
      /did not give its name/,
      0.5,
    ],
    [
      'no reverse name',
      { client: { helo: 'mx.navy.com', ip: '192.0.2.7', hasReverseName: false } },
      /192\.0\.2\.7, has no name/,
      1,
    ],
    ['an old date', { head: fields('20 Nov 2026', '20 Aug 2026') }, /month ago/, 1],
    ['a date to come', { head: fields('20 Nov 2026', '28 Nov 2026') }, /future/, 1],
    ['no date', { head: fields('Date: Fri, ', 'X-Date: Fri, ') }, /no date/, 0.5],
    ['a program', { head: attached('setup.exe') }, /“setup\.exe” is a program$/, 3],
    ['a web page', { head: attached('login.html') }, /“login\.html” is a web page/, 1.5],
    [
      'a link that shows another',
      { head: html, body: '<a href="http://evil.net/x">www.bank.com/login</a>' },
      /shows www\.bank\.com and leads to evil\.net/,
      2.5,
    ],
    [
      'a link to a number',
      { body: 'Press http://203.0.113.9/x now' },
      /without a name, 203\.0\.113\.9/,
      2,
    ],
    ['a short link', { body: 'Press https://bit.ly/abc now' }, /behind bit\.ly/, 1],
    ['capitals', { head: fields('Lunch', 'YOU ARE THE WINNER') }, /in capitals/, 1],
    ['a false answer', { head: fields('Lunch', 'Re: your order') }, /answers nothing/, 1],
  ])('%s', async (_name, given, text, points) => {
    const reasons = reasonsOf((await factsOf(given)).facts)
    expect(reasons).toHaveLength(1)
    expect(reasons[0]?.text).toMatch(text)
    expect(reasons[0]?.points).toBe(points)
    expect(points).toBeLessThan(JUNK_AT)
  })

  test.each<[string, Given]>([
    [
      'a link that shows its own host',
      { head: html, body: '<a href="https://x.bank.com/">bank.com</a>' },
    ],
    ['a word with a dot', { head: html, body: '<a href="https://nodejs.org/">Node.js 24</a>' }],
    [
      'a newsletter that can be verified and counts presses',
      {
        head: html.replace('MIME-Version', 'List-Unsubscribe: <https://a.net>\r\nMIME-Version'),
        body: '<a href="https://click.mailer.net/1">www.shop.com</a>',
        checks: { dmarc: 'pass' },
      },
    ],
    ['an answer', { head: `${fields('Lunch', 'Re: Lunch')}In-Reply-To: <0@ours.com>\r\n` }],
    ['SPF failed, DMARC passed', { checks: { spf: 'fail', dkim: 'pass', dmarc: 'pass' } }],
    ['answers within the organisation', { head: `${good}Reply-To: help@desk.navy.com\r\n` }],
    ['a short loud word', { head: fields('Lunch', 'FYI: PDF') }],
    ['a script without capitals', { head: fields('Lunch', '中文邮件的主题没有大小写的区别') }],
  ])('nothing to say: %s', async (_name, given) => {
    expect(reasonsOf((await factsOf(given)).facts)).toEqual([])
  })

  test('what strangers wrote is quoted short and on one line', async () => {
    const name = `=?utf-8?q?a=00=0d=0ab${'x'.repeat(900)}.exe?=`
    const [reason] = reasonsOf((await factsOf({ head: attached(name) })).facts)
    expect(reason?.text.length).toBeLessThanOrEqual(300)
    expect(reason?.text).not.toMatch(/\p{Cc}/u)
  })

  test('a program in disguise and the mark of filters are enough alone', async () => {
    for (const given of [
      { head: attached('invoice.pdf.exe') },
      { body: 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X\r\n' },
    ])
      expect(scoreOf(reasonsOf((await factsOf(given)).facts), plain).isJunk).toBe(true)
  })
})

const words = (subject: string, text: string, address = 'x@y.com') => ({
  subject,
  from: { address },
  searchText: text,
})
const taught = (): JunkModel => {
  let model = emptyModel()
  for (let n = 0; n < 6; n++) {
    const junk = words(
      `Casino bonus ${n}`,
      'claim your jackpot prize today spins',
      `s@casino${n}.com`,
    )
    const kept = words(`Minutes ${n}`, 'the committee agreed on the budget for the bridge')
    model = learn(model, tokensOf(junk), 'junk', 1)
    model = learn(model, tokensOf(kept), 'good', 1)
  }
  return model
}

describe('what is learnt', () => {
  test('says nothing before there is enough of both', () => {
    let model = emptyModel()
    for (let n = 0; n < 50; n++) model = learn(model, tokensOf(words('Casino', 'bonus')), 'junk', 1)
    for (let n = 0; n < 4; n++)
      model = learn(model, tokensOf(words('Minutes', 'budget')), 'good', 1)
    expect(likenessOf(model, tokensOf(words('Casino', 'bonus')))).toBe(null)
    model = learn(model, tokensOf(words('Minutes', 'budget')), 'good', 1)
    expect(likenessOf(model, tokensOf(words('Casino', 'bonus')))?.probability).toBeGreaterThan(0.9)
  })

  test('tells junk from mail, in words', () => {
    const junk = likenessOf(
      taught(),
      tokensOf(words('Casino bonus', 'claim your jackpot now', 'a@b.com')),
    )
    expect(junk?.probability).toBeGreaterThan(0.95)
    expect(learntReason(junk ?? { probability: 0, words: [] })[0]?.text).toMatch(
      /^It is very like what you marked as junk \(“.+”\)$/,
    )
    const kept = likenessOf(taught(), tokensOf(words('Minutes', 'the committee and the bridge')))
    expect(kept?.probability).toBeLessThan(0.05)
    const strange = likenessOf(taught(), tokensOf(words('Holiday', 'rowing boats', 'n@new.com')))
    expect(learntReason(strange ?? { probability: 1, words: [] })).toEqual([])
  })

  test('an address that is cut in the middle of a character names no half of it', () => {
    for (const address of [`${'x'.repeat(99)}\u{1f600}@b.com`, `a@${'x'.repeat(99)}\u{1f600}`])
      for (const token of tokensOf(words('Hi', 'there', address)))
        expect(token.isWellFormed()).toBe(true)
  })

  test('what is taken back leaves no trace, and no counter overflows or falls below zero', () => {
    const message = tokensOf(words('Casino', 'jackpot'))
    const before = taught()
    const after = learn(learn(before, message, 'junk', 1), message, 'junk', -1)
    expect(after).toEqual(before)
    let model = emptyModel()
    for (let n = 0; n < 3_000; n++) model = learn(model, message, 'junk', 1)
    expect(Math.max(...model.counters)).toBeLessThan(255)
    expect(model.junkCount).toBeLessThan(2_000)
    for (let n = 0; n < 3_000; n++) model = learn(model, message, 'junk', -1)
    expect(model.junkCount).toBe(0)
    expect(Math.max(...model.counters)).toBe(0)
  })

  test('a model of another size, as a broken row would be, is begun again', () => {
    const broken = { counters: new Uint8Array(3), junkCount: 9, goodCount: 9 }
    expect(likenessOf(broken, ['a'])).toEqual({ probability: 0.5, words: [] })
    expect(learn(broken, ['a'], 'junk', 1)).toMatchObject({ junkCount: 1, goodCount: 0 })
  })

  test('words are found in scripts without spaces, and people’s addresses are none', () => {
    expect(tokensOf(words('', '恭喜您中奖 ada@ours.com', ''))).toEqual([
      '恭喜',
      '喜您',
      '您中',
      '中奖',
    ])
  })
})

describe('hostile input', () => {
  test('no bytes break the facts, the words or the score', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ maxLength: 3_000 }),
          fc.string({ unit: anyCharacter, maxLength: 1_000 }),
        ),
        fc.constantFrom(html, attached('x'), good, ''),
        async (body, head) => {
          const text = typeof body === 'string' ? body : Buffer.from(body).toString('latin1')
          const { facts, digest } = await factsOf({ head, body: text })
          const reasons = reasonsOf({
            ...facts,
            mailFrom: text,
            client: { ...facts.client, helo: text },
          })
          const tokens = tokensOf({ ...digest, subject: text })
          expect(tokens.length).toBeLessThanOrEqual(400)
          const likeness = likenessOf(learn(taught(), tokens, 'junk', 1), tokens)
          expect(likeness?.probability).toBeGreaterThanOrEqual(0)
          expect(likeness?.probability).toBeLessThanOrEqual(1)
          const score = scoreOf([...reasons, ...(likeness ? learntReason(likeness) : [])], plain)
          expect(Number.isFinite(score.score)).toBe(true)
          expect(JSON.stringify(score)).not.toMatch(/\\u0000|\\ud[89a-f]/i)
        },
      ),
      { numRuns: 300 },
    )
  })

  test.each([
    ['openings of links', '<a '],
    ['links without end', '<a href="http://x.net/'],
    ['links that show tags', '<a href=http://x.net><'],
    ['addresses', 'http://x.net '],
    ['one word', 'x'],
    ['words', 'casino '],
    ['dots between letters', 'x.'],
    ['characters without spaces', '中'],
    ['at signs', '@a.'],
  ])('a megabyte of %s takes no time', async (_name, unit) => {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length))
    const { facts } = await factsOf()
    const ms = await computingMsOf(() => {
      const content = contentFactsOf({ ...unreadableEmail, html: text, text })
      const tokens = tokensOf({ subject: text, from: { address: text }, searchText: text })
      reasonsOf({
        ...facts,
        content,
        subject: text.slice(0, 1_000),
        from: { name: text.slice(0, 200), address: text.slice(0, 320) },
        client: { ...facts.client, helo: text.slice(0, 2_000) },
        header: headerFactsOf([{ name: 'reply-to', line: `Reply-To: ${text}`, start: 0 }]),
      })
      likenessOf(taught(), tokens)
    })
    expect(ms).toBeLessThan(2_000)
  })
})

describe('block lists', () => {
  test.each([
    ['192.0.2.99', '99.2.0.192'],
    ['::ffff:192.0.2.99', '99.2.0.192'],
    ['2001:db8::1', '1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2'],
    ['nonsense', null],
    ['', null],
  ])('%s is asked for as %s', (ip, name) => {
    expect(reversedAddress(ip)).toBe(name)
  })

  test.each([
    ['127.0.0.2', true],
    ['127.0.1.255', true],
    ['127.255.255.254', false],
    ['127.255.255.1', false],
    ['203.0.113.5', false],
    ['10.0.0.1', false],
  ])('%s lists: %s', (answer, is) => {
    expect(isListing(answer)).toBe(is)
  })
})
