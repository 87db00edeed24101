/** Addresses that have turned servers into open relays: RCPT refuses each, and nothing is sent. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox, type Mailbox } from '#test-world/builders.ts'
import { anSmtpClient } from '#test-world/smtp/smtp-client.ts'
import { openInbound } from './listener.ts'

let app: TestApp
let inbound: Awaited<ReturnType<typeof openInbound>>
let mailbox: Mailbox
beforeAll(async () => {
  app = await anApp()
  inbound = await openInbound(app, { guesses: 1_000 })
  mailbox = await aMailbox(app, { localPart: 'ada' })
})
afterAll(async () => {
  await inbound.close()
  await app.close()
})

const FOREIGN = 'victim.example.com'
const literals = [
  '[127.0.0.1]',
  '[192.0.2.1]',
  '[IPv6:::1]',
  '[IPv6:2001:db8::1]',
  '127.0.0.1',
  '[]',
]

/** `host`: a spelling of a foreign domain, or our domain with an error. */
const addressesAt = (host: string): string[] => [
  `bob@${host}`,
  `BOB@${host.toUpperCase()}`,
  `bob+tag@${host}`,
  `"bob"@${host}`,
  `"bob smith"@${host}`,
  `bob(comment)@${host}`,
  `bob@(comment)${host}`,
  ` bob@${host}`,
]

/** Addresses that mean a foreign recipient to servers that read only the last or only the first part. */
const throughUs = (ours: string): string[] => [
  `bob%${FOREIGN}@${ours}`,
  `bob%${FOREIGN}%other.example@${ours}`,
  `"bob%${FOREIGN}"@${ours}`,
  `bob!${FOREIGN}@${ours}`,
  `${FOREIGN}!bob@${ours}`,
  `${ours}!${FOREIGN}!bob`,
  `"bob@${FOREIGN}"@${ours}`,
  `bob@${FOREIGN}@${ours}`,
  `bob@${ours}@${FOREIGN}`,
  `ada@${ours}%${FOREIGN}`,
  `ada@${ours}!${FOREIGN}`,
  `@${ours}:bob@${FOREIGN}`,
  `@${ours},@other.example:bob@${FOREIGN}`,
  `@${FOREIGN}:bob@${ours}`,
  `bob:${FOREIGN}@${ours}`,
  `bob/${FOREIGN}@${ours}`,
  `bob=${FOREIGN}@${ours}`,
  `bob\\@${FOREIGN}@${ours}`,
  `bob\\@${FOREIGN}`,
  `"bob\\"@${FOREIGN}"@${ours}`,
  `ada@${ours},bob@${FOREIGN}`,
  `ada@${ours};bob@${FOREIGN}`,
  `ada@${ours} bob@${FOREIGN}`,
  `ada@${ours}><bob@${FOREIGN}`,
  `<ada@${ours}>bob@${FOREIGN}`,
  `Ada <bob@${FOREIGN}>`,
  `bob@${FOREIGN}\t@${ours}`,
  `bob@${FOREIGN}\0@${ours}`,
  `ada@${ours}\0bob@${FOREIGN}`,
  `bob&#64;${FOREIGN}@${ours}`,
  `bob＠${FOREIGN}`,
  `=?utf-8?q?bob=40${FOREIGN}?=@${ours}`,
  `|/bin/sh@${ours}`,
  `"|/bin/sh"@${ours}`,
  `/etc/passwd@${ours}`,
  `:include:/etc/passwd@${ours}`,
  `root`,
  `bob`,
  `@${FOREIGN}`,
  `bob@`,
  `@`,
]

/** Variants of our domain that are not ours. */
const nearlyOurs = (ours: string): string[] => [
  `sub.${ours}`,
  `${ours}.${FOREIGN}`,
  `x${ours}`,
  `${ours}x`,
  `${ours}..`,
  `.${ours}`,
  ours.replace('.', '..'),
  ours.replace('.', ','),
  ours.replace('.', '。'),
  ours.replace(/[aeo]/, (letter) => ({ a: 'а', e: 'е', o: 'о' })[letter] ?? letter),
  `${ours}:25`,
  `${ours}/${FOREIGN}`,
  `${ours}#`,
  `${ours}%00`,
  `[${ours}]`,
  `-${ours}`,
  ours.split('.').at(-1) ?? '',
]

const forms = (ours: string): string[] => [
  ...new Set([
    ...[FOREIGN, ...literals, ...nearlyOurs(ours)].flatMap(addressesAt),
    ...throughUs(ours),
    ...throughUs(ours.toUpperCase()),
  ]),
]

test('two hundred forms of address, and nothing is relayed', async () => {
  const ours = mailbox.email.split('@')[1] ?? ''
  const tried = forms(ours)
  expect(tried.length).toBeGreaterThan(200)
  for (const sender of ['<stranger@example.net>', `<${mailbox.email}>`, '<>'])
    for (let at = 0; at < tried.length; at += 15) {
      const client = await anSmtpClient(inbound.port)
      await client.reply()
      await client.say('EHLO peer.example.net')
      await client.say(`MAIL FROM:${sender}`)
      for (const address of tried.slice(at, at + 15))
        expect(await client.say(`RCPT TO:<${address}>`), JSON.stringify(address)).toMatch(/^5\d\d /)
      // No recipient was accepted, so DATA has no mail.
      expect(await client.say('DATA')).toMatch(/^503 /)
      client.close()
    }
  expect(await app.db.selectFrom('deliveries').selectAll().execute()).toEqual([])
  expect(await app.db.selectFrom('messages').selectAll().execute()).toEqual([])
})

test('whoever is on this computer is a stranger as well', async () => {
  const client = await anSmtpClient(inbound.port)
  await client.reply()
  expect(await client.say('HELO localhost')).toMatch(/^250 /)
  expect(await client.say(`MAIL FROM:<${mailbox.email}>`)).toMatch(/^250 /)
  expect(await client.say(`RCPT TO:<bob@${FOREIGN}>`)).toMatch(/^550 5\.7\.1 /)
  client.close()
})
