import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { insertOutboxMessage } from '#server/features/outbox/outbox-store.ts'
import type { Clock } from '#server/lib/clock.ts'
import { newId } from '#server/lib/ids.ts'
import { segmentBlobs } from '#server/storage/blobs/segment-blobs.ts'
import type { Database } from '#server/storage/database.ts'
import { aDomain, aMailbox } from '#test-world/builders.ts'
import { aDnsServer } from '#test-world/dns/dns-server.ts'
import { freePort } from '#test-world/free-port.ts'
import { aSmtpPeer } from '#test-world/smtp/smtp-peer.ts'
import { aFolder, seed, startProduct } from '../product.ts'
import type { Bench } from '../row.ts'
import { anAdmin } from '../sample.ts'

/** From Debian's package postfix. */
const SINK: string = 'smtp-sink'
const MESSAGES = 3_000
const WARM_UP = 300
const DOMAINS = 40

/** 10 kB messages to forty domains with one mail host; each counts when the ledger has it. */
export const deliveriesOut: Bench = {
  name: 'deliveries out',
  run: async () => {
    const { dataDir, remove } = aFolder()
    const [dns, sink] = [await aDnsServer(), await aSink()]
    dns.zone('example.org')
    dns.set('mx.example.org', 'A', ['127.0.0.1'])
    for (let n = 0; n < DOMAINS; n++) dns.set(`d${n}.example.org`, 'MX', ['10 mx.example.org'])
    await seed(dataDir, (world) => fillQueue(world, dataDir))
    const product = await startProduct(dataDir, {
      DNS_SERVERS: dns.address,
      DNS_PORT: String(dns.port),
      MX_PORT: String(sink.port),
      SYSTEM_MAIL: 'outbox',
    })
    try {
      await sink.has(WARM_UP)
      const [before, startedAt] = [sink.count(), performance.now()]
      await sink.has(MESSAGES)
      const seconds = (performance.now() - startedAt) / 1000
      return [
        {
          what: `deliver 10 kB messages, to ${sink.name}`,
          value: (MESSAGES - before) / seconds,
          unit: 'messages/s',
          budget: 150,
        },
      ]
    } finally {
      await product.stop()
      await sink.close()
      await dns.close()
      remove()
    }
  },
}

const fillQueue = async (world: { db: Database; clock: Clock }, dataDir: string): Promise<void> => {
  const { db, clock } = world
  const { workspace } = await anAdmin(world)
  const domain = await aDomain(world, { workspaceId: workspace.id, active: true })
  const mailbox = await aMailbox(world, { domain })
  const blobs = segmentBlobs(join(dataDir, 'blobs'))
  for (let n = 0; n < MESSAGES; n++) {
    const raw = Buffer.from(`Subject: ${n}\r\n\r\n${line.repeat(9_900 / line.length)}`)
    const [id, createdAt] = [newId(), clock.now()]
    const of = { workspaceId: workspace.id, createdAt }
    const recipientDomain = `d${n % DOMAINS}.example.org`
    await insertOutboxMessage(
      db,
      {
        ...{ ...of, id, mailboxId: mailbox.id, sentMessageId: null, mailFrom: mailbox.email },
        ...{ blob: await blobs.put(raw), sizeBytes: raw.length, isHeld: false },
      },
      [
        {
          ...{ ...of, id: newId(), outboxMessageId: id, recipientDomain },
          ...{
            recipient: `bob${n}@${recipientDomain}`,
            status: 'queued',
            nextAttemptAt: createdAt,
          },
        },
      ],
    )
  }
}

const line = `${'All the world is a stage, and mail its messenger.'.padEnd(97, '.')}\r\n`

type CountingSink = {
  name: string
  port: number
  count(): number
  has(count: number): Promise<void>
  close(): Promise<void>
}

/** Postfix's sink when installed: it uses less of the processor than ours. */
const aSink = async (): Promise<CountingSink> => (await postfixSink()) ?? (await ownSink())

const postfixSink = async (): Promise<CountingSink | null> => {
  const port = await freePort()
  // Started by root, it needs a user to change to; other users cannot give one.
  const asWhom = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn(SINK, ['-c', ...asWhom, `127.0.0.1:${port}`, '100'], {
    env: { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin` },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  if (!(await hasStarted(child))) return null
  const ended = once(child, 'exit')
  let count = 0
  let wake = () => {}
  // One line of counters: sess=1 quit=0 mesg=7
  child.stdout?.on('data', (chunk: Buffer) => {
    const seen = chunk.toString().matchAll(/mesg=(\d+)/g)
    count = Number([...seen].at(-1)?.[1] ?? count)
    wake()
  })
  return {
    ...{ name: 'smtp-sink of Postfix', port, count: () => count },
    has: async (wanted) => {
      while (count < wanted) {
        const more = new Promise<void>((done) => {
          wake = done
        })
        await Promise.race([more, ended])
        if (child.exitCode !== null) throw new Error(`smtp-sink ended with ${child.exitCode}`)
      }
    },
    close: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

const hasStarted = (child: ChildProcess): Promise<boolean> =>
  new Promise((resolve) => {
    child.once('spawn', () => resolve(true))
    child.once('error', () => resolve(false))
  })

const ownSink = async (): Promise<CountingSink> => {
  const peer = await aSmtpPeer({ extensions: ['PIPELINING'] })
  return {
    ...{ name: 'a sink of our own', port: peer.port, count: () => peer.messages.length },
    has: async (count) => void (await peer.arrived(count)),
    close: () => peer.close(),
  }
}
