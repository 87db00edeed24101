import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createInterface, type Interface } from 'node:readline'
import { aDomain, aMailbox } from '#test-world/builders.ts'
import { aDnsServer } from '#test-world/dns/dns-server.ts'
import { aFolder, seed, startProduct } from '../product.ts'
import type { Bench } from '../row.ts'
import { anAdmin } from '../sample.ts'

const CONNECTIONS = 8
const MESSAGES = 4_000
const MAILBOXES = 20

/** 10 kB messages to twenty mailboxes, each answered 250 only when blob and row are durable. */
export const smtpAccept: Bench = {
  name: 'SMTP accept',
  run: async () => {
    const { dataDir, remove } = aFolder()
    const dns = await aDnsServer()
    dns.zone('example.org')
    await seed(dataDir, async (world) => {
      const { workspace } = await anAdmin(world)
      const domain = await aDomain(world, {
        workspaceId: workspace.id,
        name: 'busy.example',
        active: true,
      })
      for (let n = 0; n < MAILBOXES; n++) await aMailbox(world, { domain, localPart: `box${n}` })
    })
    const product = await startProduct(dataDir, {
      DNS_SERVERS: dns.address,
      DNS_PORT: String(dns.port),
    })
    try {
      await send(product.smtpPort, 400)
      const startedAt = performance.now()
      await send(product.smtpPort, MESSAGES)
      const seconds = (performance.now() - startedAt) / 1000
      return [
        {
          what: 'accept 10 kB messages over SMTP, durable',
          value: MESSAGES / seconds,
          unit: 'messages/s',
          budget: 500,
        },
      ]
    } finally {
      await product.stop()
      await dns.close()
      remove()
    }
  },
}

const send = async (port: number, count: number): Promise<void> => {
  let next = 0
  const connection = async () => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    const peer = new Peer(socket)
    await peer.expect('220')
    await peer.say('EHLO bench.example.org\r\n', '250')
    while (next < count) {
      const n = next++
      await peer.say('MAIL FROM:<grace@example.org>\r\n', '250')
      await peer.say(`RCPT TO:<box${n % MAILBOXES}@busy.example>\r\n`, '250')
      await peer.say('DATA\r\n', '354')
      await peer.say(messageNumber(n), '250')
    }
    await peer.say('QUIT\r\n', '221')
    socket.destroy()
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
}

class Peer {
  readonly socket: Socket
  readonly lines: AsyncIterator<string>

  constructor(socket: Socket) {
    this.socket = socket
    const reader: Interface = createInterface({ input: socket })
    this.lines = reader[Symbol.asyncIterator]()
  }

  async say(command: string, code: string): Promise<void> {
    this.socket.write(command)
    await this.expect(code)
  }

  async expect(code: string): Promise<void> {
    while (true) {
      const { value, done } = await this.lines.next()
      if (done || !String(value).startsWith(code)) throw new Error(`wanted ${code}, got ${value}`)
      if (value[3] === ' ') return
    }
  }
}

const line = `${'All the world is a stage, and mail its messenger. '.repeat(1).padEnd(70, '.')}\r\n`
const body = line.repeat(Math.ceil(9_700 / line.length))

const messageNumber = (n: number): string =>
  `From: Grace <grace@example.org>\r\nTo: box@busy.example\r\nSubject: Number ${n}\r\n` +
  `Date: Sat, 21 Nov 2026 10:00:00 +0000\r\nMessage-ID: <${n}-${Date.now()}@example.org>\r\n\r\n${body}.\r\n`
