/** Many connections from few networks that try to exhaust places, room for arriving mail, and recipient guesses. */
import { readdir, readlink, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMailbox, type Mailbox } from '#test-world/builders.ts'
import { anSmtpClient, onTheWire, type SmtpClient } from '#test-world/smtp/smtp-client.ts'
import { type Limits, openInbound } from './listener.ts'

let app: TestApp
let mailbox: Mailbox
let stop = new AsyncDisposableStack()

beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  mailbox = await aMailbox(app)
  return async () => {
    await stop.disposeAsync()
    stop = new AsyncDisposableStack()
  }
})

const aDoor = async (limits: Limits): Promise<number> => {
  const door = await openInbound(app, limits)
  stop.defer(() => door.close())
  return door.port
}

/** `network`: the last part of a loopback address. */
const aClient = async (port: number, network: number): Promise<SmtpClient> => {
  const client = await anSmtpClient(port, '127.0.0.1', `127.0.0.${network}`)
  stop.defer(async () => client.close())
  return client
}
const greeted = async (port: number, network: number): Promise<SmtpClient> => {
  const client = await aClient(port, network)
  expect(await client.reply()).toMatch(/^220 /)
  expect(await client.say('EHLO peer.example.net')).toMatch(/^250/)
  return client
}
/** Runs the dialogue up to the reply to DATA. */
const writing = async (port: number, network: number, to = mailbox.email) => {
  const client = await greeted(port, network)
  await client.say('MAIL FROM:<a@example.net>')
  expect(await client.say(`RCPT TO:<${to}>`)).toMatch(/^250 /)
  expect(await client.say('DATA')).toMatch(/^354 /)
  return client
}
const send = async (port: number, network: number, raw: string | Buffer, to?: string) => {
  const client = await writing(port, network, to)
  client.write(onTheWire(raw))
  const reply = await client.reply()
  client.close()
  return reply
}
/** Of all messages that are on their way and in files, which have no name: this process has them open. */
const bytesArriving = async (): Promise<number> => {
  const open = await readdir('/proc/self/fd')
  const sizes = open.map(async (fd) => {
    const path = join('/proc/self/fd', fd)
    // It may be closed meanwhile.
    const isArriving = (await readlink(path).catch(() => '')).includes('/arriving/')
    return isArriving ? (await stat(path)).size : 0
  })
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}
const letter = (bytes: number) =>
  `From: a@example.net\r\nSubject: x\r\n\r\n${`${'x'.repeat(98)}\r\n`.repeat(bytes / 100)}`

test('one network cannot fill the room for mail on its way, and what it is refused is not held', async () => {
  const port = await aDoor({ diskBytes: 6_000_000 })
  const greedy = await Promise.all(Array.from({ length: 6 }, () => writing(port, 2)))
  for (const client of greedy) client.write(letter(900_000))
  expect(await send(port, 1, letter(1_500_000))).toMatch(/^250 /)
  const ends = greedy.map((client) => {
    client.write('.\r\n')
    return client.reply()
  })
  const replies = (await Promise.all(ends)).toSorted()
  expect(replies[0]).toMatch(/^250 /)
  expect(replies.at(-1)).toBe('452 4.3.1 Too much mail from your network at once, try again later')
  expect(await send(port, 2, letter(1_500_000))).toMatch(/^250 /)
})

test('nor can many networks for one workspace; others find room', async () => {
  const port = await aDoor({ diskBytes: 4_000_000 })
  const neighbour = await aMailbox(app)
  const held = await Promise.all([2, 3, 4, 5].map((network) => writing(port, network)))
  for (const client of held) client.write(letter(700_000))
  // Else one of these four is refused for the fifth.
  await expect.poll(bytesArriving).toBeGreaterThan(4 * 699_000)
  expect(await send(port, 6, letter(900_000))).toMatch(
    /^452 4\.3\.1 Too much mail for this workspace at once/,
  )
  expect(await send(port, 6, letter(500_000), neighbour.email)).toMatch(/^250 /)
})

test.each([
  [
    'one that does not end',
    `Subject: x\r\n${`X-Line: ${'x'.repeat(90)}\r\n`.repeat(20_000)}`,
    /The header may have 256000 bytes at most/,
  ],
  [
    'line ends without CR',
    `Subject: x\n\n${`${'x'.repeat(98)}\n`.repeat(20_000)}`,
    /An LF without CR is not allowed/,
  ],
])(
  'a header that is too long is refused as soon as it is, and no more of it is held: %s',
  async (_name, raw, reply) => {
    const port = await aDoor({ diskBytes: 1_200_000 })
    expect(await send(port, 2, raw)).toMatch(reply)
    expect(await send(port, 2, letter(500_000))).toMatch(/^250 /)
  },
)

test('a large message is stored as it came, and where memory is short a small one too', async () => {
  const port = await aDoor({ memoryBytes: 1_000 })
  for (const bytes of [3_000, 3_000_000]) {
    const raw = Buffer.from(letter(bytes))
    expect(await send(port, 1, raw)).toMatch(/^250 /)
    const { blob } = await app.db
      .selectFrom('messages')
      .select('blob')
      .where('mailboxId', '=', mailbox.id)
      .orderBy('uid', 'desc')
      .executeTakeFirstOrThrow()
    expect((await app.blobs.get(blob)).subarray(-raw.length).equals(raw)).toBe(true)
  }
})

test('who sends a message too slowly loses the place', async () => {
  const port = await aDoor({ paceMs: 300 })
  const slow = await writing(port, 2)
  slow.write('Subject: half\r\n')
  expect(await slow.reply()).toMatch(/^421 .*too slow/)
})

test('idle strangers make room for whoever comes, and those with most connections first', async () => {
  const port = await aDoor({ places: 6 })
  const crowd = []
  for (const network of [2, 3, 4])
    crowd.push(await greeted(port, network), await greeted(port, network))
  const gone = Promise.race(crowd.map((client) => client.reply()))
  expect(await send(port, 1, letter(1_000))).toMatch(/^250 /)
  expect(await gone).toMatch(/^421 .*Too many connections/)
  const more = await aClient(port, 5)
  expect(await more.reply()).toMatch(/^220 /)
})

test('mail under way and networks that delivered keep their places', async () => {
  const port = await aDoor({ places: 4 })
  const known = await writing(port, 9)
  known.write(onTheWire(letter(1_000)))
  expect(await known.reply()).toMatch(/^250 /)
  const amid = await greeted(port, 2)
  await amid.say('MAIL FROM:<a@example.net>')
  await amid.say(`RCPT TO:<${mailbox.email}>`)
  const idle = [await greeted(port, 2), await greeted(port, 2)]
  for (const network of [3, 4]) await greeted(port, network)
  for (const client of idle) expect(await client.reply()).toMatch(/^421 /)
  expect(await known.say('NOOP')).toMatch(/^250 /)
  expect(await amid.say('DATA')).toMatch(/^354 /)
})

test('addresses are not guessed over many connections either, at any process', async () => {
  const ports = [await aDoor({ guesses: 8 }), await aDoor({ guesses: 8 })]
  const domain = mailbox.email.split('@')[1]
  const guess = async (port: number, network: number, n: number) => {
    const client = await greeted(port, network)
    await client.say('MAIL FROM:<a@example.net>')
    return client.say(`RCPT TO:<guess${n}@${domain}>`)
  }
  for (let n = 0; n < 8; n++) expect(await guess(ports[n % 2] ?? 0, 2, n)).toMatch(/^550 5\.1\.1 /)
  for (const port of ports) {
    expect(await guess(port, 2, 9)).toMatch(/^421 .*from your network/)
    const client = await greeted(port, 2)
    await client.say('MAIL FROM:<a@example.net>')
    // The reply does not reveal even an existing address.
    expect(await client.say(`RCPT TO:<${mailbox.email}>`)).toMatch(/^421 /)
  }
  expect(await guess(ports[0] ?? 0, 3, 1)).toMatch(/^550 /)
})
