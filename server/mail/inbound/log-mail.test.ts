import { afterAll, beforeAll, expect, test } from 'vitest'
import { findMails } from '#server/features/operating/mail-log/find-mails.ts'
import { storeMailLog } from '#server/features/operating/mail-log/store-mail-log.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox } from '#test-world/builders.ts'
import { anSmtpClient, sendMail } from '#test-world/smtp/smtp-client.ts'
import { openInbound } from './listener.ts'

let app: TestApp
let inbound: Awaited<ReturnType<typeof openInbound>>
beforeAll(async () => {
  app = await anApp()
  inbound = await openInbound(app)
})
afterAll(async () => {
  await inbound.close()
  await app.close()
})

test('each mail that comes in has a line with its envelope, and nothing of what it says', async () => {
  const { email } = await aMailbox(app)
  const raw = 'From: s@example.net\r\nSubject: a secret subject\r\n\r\na secret text\r\n'
  const reply = await sendMail(inbound.port, { from: 's@example.net', to: email, raw })
  const [line] = app.logged('mail-accepted')
  expect(line).toEqual({
    ...{ level: 30, event: 'mail-accepted', id: reply.split(' ').at(-1), bytes: raw.length },
    ...{ ip: '127.0.0.1', network: '127.0.0.1', helo: expect.any(String) },
    ...{ from: 's@example.net', to: [email] },
  })
  expect(JSON.stringify(line)).not.toContain('secret')
})

test('a refused recipient and a refused mail say what was told, and a crowd of one client is one line', async () => {
  const { email } = await aMailbox(app)
  const client = await anSmtpClient(inbound.port)
  await client.reply()
  await client.say('EHLO evil.example')
  await client.say('MAIL FROM:<s@example.net>')
  for (let n = 0; n < 15; n++)
    expect(await client.say(`RCPT TO:<guess${n}@${email.split('@')[1]}>`)).toMatch(/^550 /)
  client.close()
  const refused = app.logged('mail-refused')
  expect(refused).toHaveLength(1)
  expect(refused[0]).toMatchObject({
    ...{ at: 'recipient', why: 'rule', reply: '550 5.1.1 No such mailbox here' },
    ...{ from: 's@example.net', to: [`guess0@${email.split('@')[1]}`], ip: '127.0.0.1' },
    helo: 'evil.example',
  })
  const loop = `${'Received: from a\r\n'.repeat(60)}Subject: x\r\n\r\n`
  await sendMail(inbound.port, { from: 's@example.net', to: email, raw: loop })
  expect(app.logged('mail-refused')[1]).toMatchObject({
    ...{ at: 'data', why: 'rule', to: [email] },
    reply: '554 5.4.6 Too many hops: this mail goes in a loop',
  })
})

test('an operator finds what was said to a server that could not deliver', async () => {
  const { email } = await aMailbox(app)
  const [, domain] = email.split('@')
  const client = await anSmtpClient(inbound.port)
  await client.reply()
  await client.say('EHLO mx.partner.example')
  await client.say('MAIL FROM:<billing@partner.example>')
  await client.say(`RCPT TO:<aada@${domain}>`)
  client.close()
  const raw = 'From: billing@partner.example\r\nSubject: x\r\n\r\nx\r\n'
  await sendMail(inbound.port, { from: 'billing@partner.example', to: email, raw })
  await storeMailLog(app)
  const { items } = await findMails(app, { q: `partner.example ${domain}`, limit: 10 })
  expect(new Set(items.map(({ outcome, to, reply }) => [outcome, to, reply.slice(0, 9)]))).toEqual(
    new Set([
      ['refused', `aada@${domain}`, '550 5.1.1'],
      ['accepted', email, expect.any(String)],
    ]),
  )
})

const sayFrom = async (from: string, port: number, ...lines: string[]): Promise<string> => {
  const client = await anSmtpClient(port, '127.0.0.1', from)
  await client.reply()
  let last = ''
  for (const line of lines) last = await client.say(line)
  client.close()
  return last
}

const refusedSince = (before: number) => app.logged('mail-refused').slice(before)

test('what smtp-server refuses by itself is told as the client reads it, with the address that it named', async () => {
  const hello = 'EHLO peer.example.net'
  const mail = 'MAIL FROM:<s@example.net>'
  const tries = [
    [hello, 'MAIL FROM:<big@example.net> SIZE=99999999'],
    [hello, 'MAIL FROM:broken'],
    [hello, mail, 'RCPT TO:<no address>'],
    [hello, mail, 'DATA'],
    ['MAIL FROM:<early@example.net>'],
  ]
  const before = app.logged('mail-refused').length
  const replies: string[] = []
  for (const lines of tries) replies.push(await sayFrom('127.0.0.1', inbound.port, ...lines))
  const refused = refusedSince(before)
  expect(refused.map(({ reply }) => reply)).toEqual(replies)
  expect(refused.map(({ at }) => at)).toEqual(['sender', 'sender', 'recipient', 'data', 'sender'])
  expect(refused.map(({ why }) => why)).toEqual(tries.map(() => 'rule'))
  expect(refused[0]).toMatchObject({ from: 'big@example.net', to: [], ip: '127.0.0.1' })
  expect(refused[2]).toMatchObject({ from: 's@example.net', to: [''] })
})

test('a connection that is cut or finds no room has its line, and one that only ends has none', async () => {
  const { email } = await aMailbox(app)
  const narrow = await openInbound(app, { messageMs: 1_500, clients: 1 })
  const before = app.logged('mail-refused').length
  const slow = await anSmtpClient(narrow.port)
  await slow.reply()
  const crowded = await anSmtpClient(narrow.port)
  expect(await crowded.reply()).toMatch(/^421 .*Too many connected clients/)
  await slow.say('EHLO slow.example')
  await slow.say('MAIL FROM:<s@example.net>')
  await slow.say(`RCPT TO:<${email}>`)
  expect(await slow.reply()).toMatch(/^421 .*too slow/)
  await narrow.close()
  const quiet = await openInbound(app, { idleMs: 200 })
  const idle = await anSmtpClient(quiet.port)
  await idle.reply()
  expect(await idle.reply()).toMatch(/^421 .*Timeout/)
  await quiet.close()
  expect(refusedSince(before)).toMatchObject([
    { at: 'connection', reply: expect.stringContaining('Too many connected'), ip: '127.0.0.1' },
    {
      at: 'recipient',
      reply: expect.stringContaining('too slow'),
      to: [email],
      helo: 'slow.example',
    },
  ])
})

test('who tried too many addresses is told so on the next connection', async () => {
  const { email } = await aMailbox(app)
  const strict = await openInbound(app, { guesses: 2 })
  const before = app.logged('mail-refused').length
  const guess = (name: string) =>
    sayFrom(
      '127.7.0.1',
      strict.port,
      'EHLO e.example',
      'MAIL FROM:<s@e.example>',
      `RCPT TO:<${name}@${email.split('@')[1]}>`,
    )
  for (const name of ['a1', 'a2', 'a3']) await guess(name)
  expect(await guess('a4')).toMatch(/^421 /)
  await strict.close()
  expect(refusedSince(before)).toMatchObject([
    { at: 'recipient', reply: expect.stringMatching(/^550/), to: [expect.stringMatching(/^a1@/)] },
    { at: 'recipient', reply: expect.stringMatching(/^421/), to: [expect.stringMatching(/^a3@/)] },
  ])
})
