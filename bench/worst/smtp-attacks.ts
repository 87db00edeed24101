/** Attacks of strangers on the SMTP door, and of a tenant whose mail is expensive to parse. From their own loopback addresses. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { anSmtpClient, onTheWire, type SmtpClient } from '#test-world/smtp/smtp-client.ts'
import { hostileMails } from '#test-world/trials/hostile-mails.ts'
import type { Attack, WorstWorld } from './attack.ts'

type Smtp = Pick<WorstWorld, 'smtpPort' | 'recipient'>

const PIECE = Buffer.from(`${'x'.repeat(998)}\r\n`.repeat(64))

const address = (n: number): string => `127.0.${40 + Math.floor(n / 200)}.${1 + (n % 200)}`

/** Runs `count` loops at once until the signal. */
const many = (count: number, signal: AbortSignal, work: (n: number) => Promise<unknown>) =>
  Promise.all(
    Array.from({ length: count }, async (_, n) => {
      while (!signal.aborted) await work(n).catch(() => pause(20))
    }),
  ).then(() => {})

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

/** Holds the connection until the signal, or until the server ends it. */
const hold = (client: SmtpClient, signal: AbortSignal): Promise<unknown> => {
  const aborted = new Promise((done) => signal.addEventListener('abort', done, { once: true }))
  return Promise.race([client.reply().catch(() => {}), aborted])
}

const using = async (
  { smtpPort }: Smtp,
  from: string,
  use: (client: SmtpClient) => Promise<unknown>,
): Promise<void> => {
  const client = await anSmtpClient(smtpPort, '127.0.0.1', from)
  try {
    await client.reply()
    await client.say('EHLO evil.example')
    await use(client)
  } finally {
    client.close()
  }
}

const toData = async (client: SmtpClient, { recipient }: Smtp): Promise<void> => {
  await client.say('MAIL FROM:<eve@evil.example>')
  await client.say(`RCPT TO:<${recipient}>`)
  if (!(await client.say('DATA')).startsWith('354')) throw new Error('refused')
}

const sendAll = async (world: Smtp, from: string, mails: readonly Buffer[]): Promise<void> =>
  using(world, from, async (client) => {
    for (const raw of mails) {
      await toData(client, world)
      client.write(onTheWire(raw))
      await client.reply()
    }
  })

const sendFromThree = (
  world: Smtp,
  signal: AbortSignal,
  mails: readonly { raw: Buffer }[],
): Promise<void> =>
  many(10, signal, (n) =>
    sendAll(
      world,
      address(n % 3),
      mails.map(({ raw }) => raw),
    ),
  )

const times = (count: number, text: string): string => text.repeat(count)
const signature = `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=evil.example; s=s;\r\n bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=; h=from:${times(600, 'a:\r\n ')}a;\r\n b=${'A'.repeat(344)}\r\n`
const from = 'From: Eve <eve@evil.example>\r\nSubject: x\r\n'
/** Each of at most 95 kB, and as expensive to parse as possible at that size. */
const dearMails = [
  `${times(10, signature)}${from}${times(8_000, 'a: b\r\n')}\r\nHello\r\n`,
  `${from}To: ${times(44_000, 'g:')}\r\n\r\nHello\r\n`,
  `${from}Content-Type: multipart/mixed; boundary=b\r\n\r\n${times(9_000, '--b\r\n\r\n\r\n')}`,
  `${from}Content-Type: text/html\r\n\r\n${times(11_000, '<ul><li>')}\r\n`,
].map((text) => Buffer.from(text))
const headerBombs = hostileMails.filter(({ name }) => /header|recipients|encoded words/.test(name))
const trees = hostileMails.filter(({ name }) => /part|nested|messages|boundar/.test(name))

const greet = async (smtpPort: number, localAddress: string): Promise<Socket> => {
  const socket = connect({ port: smtpPort, host: '127.0.0.1', localAddress })
  socket.on('error', () => {})
  await once(socket, 'data')
  return socket
}

const startTls = async (smtpPort: number, localAddress: string): Promise<void> => {
  const socket = await greet(smtpPort, localAddress)
  try {
    for (const line of ['EHLO evil.example', 'STARTTLS']) {
      socket.write(`${line}\r\n`)
      await once(socket, 'data')
    }
    socket.removeAllListeners('data')
    const secure = connectTls({ socket, rejectUnauthorized: false })
    secure.on('error', () => {})
    await once(secure, 'secureConnect')
    secure.destroy()
  } finally {
    socket.destroy()
  }
}

export const smtpAttacks: Attack[] = [
  {
    name: '18 connections of one address that fill the room for mail on its way',
    who: 'stranger',
    run: (world, signal) =>
      many(18, signal, () =>
        using(world, address(0), async (client) => {
          await toData(client, world)
          for (let sent = 0; sent < 24_000_000 && !signal.aborted; sent += PIECE.length) {
            client.write(PIECE)
            await pause(1)
          }
          await hold(client, signal)
        }),
      ),
  },
  {
    name: '200 messages written byte by byte from four addresses',
    who: 'stranger',
    run: (world, signal) =>
      many(200, signal, (n) =>
        using(world, address(n % 4), async (client) => {
          await toData(client, world)
          const drip = setInterval(() => client.write('x'), 1_000)
          await hold(client, signal).finally(() => clearInterval(drip))
        }),
      ),
  },
  {
    name: '2,000 idle connections of forty addresses',
    who: 'stranger',
    run: (world, signal) =>
      many(2_000, signal, (n) =>
        using(world, address(n % 40), (client) => hold(client, signal)).finally(() => pause(100)),
      ),
  },
  {
    name: 'mails of 95 kB that are dear to read, on forty connections of one address',
    who: 'sender',
    run: (world, signal) => many(40, signal, () => sendAll(world, address(0), dearMails)),
  },
  {
    name: 'the same from forty addresses',
    who: 'sender',
    run: (world, signal) => many(40, signal, (n) => sendAll(world, address(n), dearMails)),
  },
  {
    name: 'large trees of parts',
    who: 'sender',
    run: (world, signal) => sendFromThree(world, signal, trees),
  },
  {
    name: 'header bombs',
    who: 'sender',
    run: (world, signal) => sendFromThree(world, signal, headerBombs),
  },
  {
    name: 'guessing of addresses on fifty connections',
    who: 'stranger',
    run: (world, signal) =>
      many(50, signal, (n) =>
        using(world, address(0), async (client) => {
          await client.say('MAIL FROM:<eve@evil.example>')
          const guess = () =>
            client.say(`RCPT TO:<guess${n}.${Math.random()}@${world.recipient.split('@')[1]}>`)
          while (!signal.aborted && !(await guess()).startsWith('421'));
        }),
      ),
  },
  {
    name: 'connections that come and go',
    who: 'stranger',
    run: ({ smtpPort }, signal) =>
      many(40, signal, async (n) => (await greet(smtpPort, address(n % 4))).destroy()),
  },
  {
    name: 'STARTTLS again and again',
    who: 'stranger',
    run: ({ smtpPort }, signal) => many(40, signal, (n) => startTls(smtpPort, address(n % 4))),
  },
  {
    name: 'imports of 40,000 small mails',
    who: 'tenant',
    run: ({ httpUrl, tenant }, signal) =>
      many(1, signal, () => importMany(httpUrl, tenant, signal)),
  },
]

const importMany = async (
  httpUrl: string,
  { token, mailboxId }: WorstWorld['tenant'],
  signal: AbortSignal,
): Promise<void> => {
  const message = (n: number) => `From a@b.example Thu Nov 19 09:00:00 2026\nSubject: ${n}\n\n\n`
  const file = Array.from({ length: 40_000 }, (_, n) => message(n)).join('')
  const call = async (method: string, path: string, type: string, body: string) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': type }
    const url = `${httpUrl}/api/v1/mailboxes/${mailboxId}/imports${path}`
    const answer = await fetch(url, { method, headers, body, signal })
    if (!answer.ok) throw new Error(await answer.text())
    return (await answer.json()) as { _id: string; state: string; received: number }
  }
  const form = { filename: 'mail.mbox', fingerprint: String(Math.random()), size: file.length }
  const begun = await call('POST', '', 'application/json', JSON.stringify(form))
  for (let at = begun.received; at < file.length; at += 1_000_000)
    await call(
      'PUT',
      `/${begun._id}/pieces/${at}`,
      'application/octet-stream',
      file.slice(at, at + 1_000_000),
    )
  while (!signal.aborted) await pause(1_000)
}
