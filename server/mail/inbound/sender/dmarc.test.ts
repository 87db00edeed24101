/** How a DMARC policy affects mail, over real sockets and real DNS. */
import { generateKeyPairSync } from 'node:crypto'
import { sealMessage } from 'mailauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDns } from '#server/lib/dns/dns-client.ts'
import { dkimSign } from '#server/standards/dkim-sign.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox } from '#test-world/builders.ts'
import { aClock } from '#test-world/clock.ts'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { refuseByPolicy } from '../accept-message.ts'
import { openInbound } from '../listener.ts'
import { answerCache } from './answer-cache.ts'
import { verdictForShownAuthor } from './authenticate-message.ts'

const clock = aClock()
let app: TestApp
let dns: TestDns
let inbound: Awaited<ReturnType<typeof openInbound>>
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const key = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`

const publish = (domain: string, dmarc: string | null, spf = 'v=spf1 ip4:192.0.2.1 -all') => {
  dns.zone(domain)
  dns.set(domain, 'TXT', [spf])
  dns.set(domain, 'A', ['192.0.2.1'])
  dns.set(`s1._domainkey.${domain}`, 'TXT', [key])
  if (dmarc !== null) dns.set(`_dmarc.${domain}`, 'TXT', [dmarc])
}

beforeAll(async () => {
  dns = await aDnsServer()
  app = await anApp({
    clock,
    dns: openDns({
      ...{ servers: [dns.address], port: dns.port, allowLoopbackPeers: true, timeoutMs: 300 },
    }),
  })
  inbound = await openInbound(app)
  publish('strict.example', 'v=DMARC1; p=reject; sp=none')
  dns.set('news.strict.example', 'A', ['192.0.2.1'])
  publish('tree.example', 'v=DMARC1; p=quarantine; sp=reject; np=reject')
  dns.set('shop.tree.example', 'A', ['192.0.2.1'])
  publish('aside.example', 'v=DMARC1; p=quarantine')
  publish('trying.example', 'v=DMARC1; p=reject; t=y')
  publish('watching.example', 'v=DMARC1; p=none')
  publish('silentkeys.example', 'v=DMARC1; p=reject')
  dns.behave('slow._domainkey.silentkeys.example', 'silent')
  publish('other.example', null, 'v=spf1 ip4:127.0.0.1 -all')
  publish('google.com', null)
  publish('fastmail.com', null)
})
afterAll(async () => {
  await inbound.close()
  await dns.close()
  await app.close()
})

const letter = (from: string, more = '') =>
  Buffer.from(
    `${more}From: ${from}\r\nSubject: Your account\r\nTo: ada\r\nDate: ${clock.now().toUTCString()}\r\nMessage-ID: <1@x.example>\r\n\r\nHello\r\n`,
  )
const signed = (from: string, domain: string, selector = 's1') =>
  dkimSign(letter(from), domain, [{ selector, algorithm: 'rsa', privateKeyPem }], new Date())

/** Sent from other.example, whose SPF allows this client. */
const deliver = async (raw: Buffer, from = 'a@other.example') => {
  const mailbox = await aMailbox(app)
  const reply = await sendMail(inbound.port, { from, to: mailbox.email, raw })
  const row = await app.db
    .selectFrom('messages')
    .innerJoin('folders', 'folders.id', 'messages.folderId')
    .select(['role', 'junk', 'authentication'])
    .where('messages.mailboxId', '=', mailbox.id)
    .executeTakeFirst()
  return { reply, folder: row?.role ?? null, junk: row?.junk ?? null }
}

describe('p=reject', () => {
  test('mail that fails is refused, with the domain, its policy and what failed', async () => {
    const { reply, folder } = await deliver(letter('Bank <a@strict.example>'))
    expect(reply).toBe(
      '550 5.7.1 strict.example asks by DMARC (p=reject at _dmarc.strict.example) to refuse mail in its name that cannot be verified, and this one is not: SPF passes for another domain, DKIM none',
    )
    expect(folder).toBe(null)
  })

  test('a good signature of the domain is enough', async () => {
    const raw = signed('a@strict.example', 'strict.example')
    expect(await deliver(raw)).toMatchObject({ folder: 'inbox' })
    const changed = Buffer.from(raw.toString().replace('Hello', 'Hallo'))
    expect((await deliver(changed)).reply).toMatch(/^550 5\.7\.1 .*DKIM fail$/)
    const elsewhere = signed('a@strict.example', 'other.example')
    expect((await deliver(elsewhere)).reply).toMatch(/^550 .*DKIM passes for another domain$/)
  })

  test.each([
    ['a subdomain with sp=none', 'a@news.strict.example', /^250 /],
    [
      'a subdomain that exists, with sp=reject',
      'a@shop.tree.example',
      /^550 .*_dmarc\.tree\.example/,
    ],
    ['a subdomain that does not exist, with np=reject', 'a@never.tree.example', /^550 /],
    ['t=y: only tried out', 'a@trying.example', /^250 /],
    ['no record', 'a@other.example', /^250 /],
    ['a name that does not exist', 'a@nowhere.invalid', /^250 /],
  ])('%s', async (_name, from, reply) => {
    const answer = await deliver(letter(from))
    expect(answer.reply).toMatch(reply)
    if (reply.test('250 ')) expect(answer.folder).toBe('inbox')
  })

  test('what cannot be looked up now is put off, not refused', async () => {
    const raw = signed('a@silentkeys.example', 'silentkeys.example', 'slow')
    expect((await deliver(raw)).reply).toMatch(/^451 4\.7\.0 silentkeys\.example asks by DMARC/)
    // A foreign key without an answer changes nothing.
    dns.behave('slow._domainkey.other.example', 'silent')
    const others = signed('a@strict.example', 'other.example', 'slow')
    expect((await deliver(others)).reply).toMatch(/^550 /)
  })

  test.each([
    ['two From fields', letter('a@strict.example', 'From: a@other.example\r\n')],
    ['a From that nobody can read', letter(`a@strict.example${' '.repeat(2_000)}`)],
  ])('%s do not hide it', async (_name, raw) => {
    expect((await deliver(raw)).reply).toMatch(/^550 5\.7\.1 The From field must name/)
  })

  test.each([
    ['none passes', letter('a@other.example, a@strict.example'), /^550 .*strict\.example asks/],
    [
      'the strict one passes',
      signed('a@strict.example, a@other.example', 'strict.example'),
      /^250 /,
    ],
    ['the other one passes', signed('a@strict.example, a@aside.example', 'aside.example'), /^550 /],
    ['none is protected', letter('a@other.example, a@watching.example'), /^250 /],
    ['one has two domains', letter('a@other.example, a@strict.example@x.example'), /^550 /],
    ['five', letter('a@1.example, a@2.example, a@3.example, a@4.example, a@5.example'), /^550 /],
  ])('authors of several domains, %s: the strictest policy counts', async (_name, raw, reply) => {
    expect((await deliver(raw)).reply).toMatch(reply)
  })

  test('when there was no time for the checks, the policy is still looked up', async () => {
    const unchecked = {
      authentication: { spf: 'temperror', dkim: 'temperror', dmarc: 'temperror', arc: 'none' },
      ...{ headers: '', dmarc: null, author: null, isAuthorClear: true },
    }
    const checking = { mailHost: app.config.mailHost, resolve: answerCache(app) }
    const strict = await verdictForShownAuthor(checking, unchecked, { address: 'a@Strict.example' })
    expect(strict.dmarc).toMatchObject({ policy: 'reject', outcome: 'unclear' })
    expect(() => refuseByPolicy(strict)).toThrow(/please try again later/)
    const watching = await verdictForShownAuthor(checking, unchecked, {
      address: 'a@watching.example',
    })
    expect(() => refuseByPolicy(watching)).not.toThrow()
    const nobody = await verdictForShownAuthor(checking, unchecked, null)
    expect(nobody).toBe(unchecked)
  })

  test.each([
    ['wide', `a${' '.repeat(5_000)}b`],
    ['of more fields than anybody signs', `v=1; h=from${':a'.repeat(2_000)}`],
  ])('signatures that take too long to read do not hide it: %s', async (_name, signature) => {
    const raw = letter('a@strict.example', `DKIM-Signature: ${signature}\r\n`)
    expect((await deliver(raw)).reply).toMatch(/^550 .*DKIM temperror$/)
  })
})

describe('p=quarantine and less', () => {
  test('what fails goes to Junk, and says why', async () => {
    const { reply, folder, junk } = await deliver(letter('a@aside.example'))
    expect(reply).toMatch(/^250 /)
    expect(folder).toBe('junk')
    expect(junk).toMatchObject({ isJunk: true, score: 6 })
    expect(junk?.reasons[0]?.text).toMatch(/^aside\.example asks to put mail aside/)
  })

  test('what passes does not', async () => {
    expect(await deliver(signed('a@aside.example', 'aside.example'))).toMatchObject({
      folder: 'inbox',
      junk: { isJunk: false },
    })
  })

  test.each(['a@watching.example', 'a@trying.example'])(
    '%s: failing counts, and is not enough',
    async (from) => {
      const { folder, junk } = await deliver(letter(from))
      expect(folder).toBe('inbox')
      expect(junk?.reasons.map(({ points }) => points)).toEqual([1.5])
    },
  )
})

describe('forwarded with a seal (ARC)', () => {
  const sealed = async (saw: string, by = 'google.com') => {
    const changed = Buffer.concat([Buffer.from('X-List: yes\r\n'), letter('a@strict.example')])
    const seal = await sealMessage(changed, {
      ...{ signingDomain: by, selector: 's1', privateKey: privateKeyPem, cv: 'none' },
      authResults: `mx.${by}; dmarc=${saw} header.from=strict.example`,
    })
    return Buffer.concat([seal, changed])
  }

  test('by somebody that we trust, who saw it pass: taken', async () => {
    const answer = await deliver(await sealed('pass'))
    expect(answer).toMatchObject({ reply: expect.stringMatching(/^250 /), folder: 'inbox' })
    expect(answer.junk?.reasons).toEqual([])
  })

  test('and again by another one whom we trust: taken', async () => {
    const once = await sealed('pass')
    const changed = Buffer.concat([Buffer.from('X-Again: yes\r\n'), once])
    const seal = await sealMessage(changed, {
      ...{ signingDomain: 'fastmail.com', selector: 's1', privateKey: privateKeyPem, cv: 'pass' },
      authResults: 'mx.fastmail.com; arc=pass; dmarc=fail header.from=strict.example',
    })
    expect((await deliver(Buffer.concat([seal, changed]))).folder).toBe('inbox')
    const stranger = await sealMessage(changed, {
      ...{ signingDomain: 'other.example', selector: 's1', privateKey: privateKeyPem, cv: 'pass' },
      authResults: 'mx.other.example; arc=pass',
    })
    expect((await deliver(Buffer.concat([stranger, changed]))).reply).toMatch(/^550 /)
  })

  test.each([
    ['who saw it fail', () => sealed('fail')],
    ['by a stranger', () => sealed('pass', 'other.example')],
    [
      'and changed afterwards',
      async () => Buffer.from((await sealed('pass')).toString().replace('Hello', 'Hallo')),
    ],
  ])('%s: refused', async (_name, make) => {
    expect((await deliver(await make())).reply).toMatch(/^550 5\.7\.1 /)
  })
})
