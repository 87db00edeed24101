/** A backup of 100,000 mails (1 GB) while mail comes in, the next one, and a restore elsewhere, which has each mail. */
import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { aDomain, aMailbox } from '#test-world/builders.ts'
import { aDnsServer } from '#test-world/dns/dns-server.ts'
import { anSmtpClient, onTheWire } from '#test-world/smtp/smtp-client.ts'
import { aFolder, type Product, seed, startProduct } from '../product.ts'
import type { Bench, Measured } from '../row.ts'
import { anAdmin } from '../sample.ts'

const MAILS = 100_000
/** On its way while the backup is made. */
const MEANWHILE = 2_000
const MAILBOXES = 20
const KEY = Buffer.alloc(32, 7).toString('base64')

const boxes = Array.from({ length: MAILBOXES }, (_, n) => `box${n}@kept.example`)

export const backup: Bench = {
  name: 'backup',
  run: async () => {
    const { dataDir, remove } = aFolder()
    const [backups, elsewhere] = [aFolder(), aFolder()]
    const dns = await aDnsServer()
    dns.zone('example.org')
    try {
      await seed(dataDir, async (world) => {
        const { workspace } = await anAdmin(world)
        const domain = await aDomain(world, {
          workspaceId: workspace.id,
          name: 'kept.example',
          active: true,
        })
        for (let n = 0; n < MAILBOXES; n++) await aMailbox(world, { domain, localPart: `box${n}` })
      })
      const settings = { DNS_SERVERS: dns.address, DNS_PORT: String(dns.port) }
      const product = await startProduct(dataDir, settings)
      try {
        return await measure(product, backups.dataDir, elsewhere.dataDir)
      } finally {
        await product.stop()
      }
    } finally {
      await dns.close()
      remove()
      backups.remove()
      elsewhere.remove()
    }
  },
}

const measure = async (product: Product, backups: string, dataDir: string): Promise<Measured[]> => {
  const settings = { DATA_DIR: product.dataDir, BACKUP_KEY: KEY }
  await send(product.smtpPort, MAILS)
  const [first] = await Promise.all([
    timed(['backup', backups], settings),
    send(product.smtpPort, MEANWHILE),
  ])
  const next = await timed(['backup', backups], settings)
  const verified = await timed(['backup', 'verify', backups], settings)
  const restored = await timed(['restore', backups], { ...settings, DATA_DIR: dataDir })
  return [
    {
      what: `backup of ${MAILS} mails (1 GB) while mail comes`,
      value: first,
      unit: 's',
      budget: 300,
    },
    { what: '  the next one', value: next, unit: 's', budget: null },
    { what: '  verified', value: verified, unit: 's', budget: null },
    {
      what: '  restored elsewhere, each blob by its hash',
      value: restored,
      unit: 's',
      budget: null,
    },
  ]
}

const CONNECTIONS = 8

/** 10 kB each, which no compression makes smaller, as most bytes in mail are. */
const send = async (port: number, count: number): Promise<void> => {
  const share = Math.ceil(count / CONNECTIONS)
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async (_, connection) => {
      const client = await anSmtpClient(port)
      const say = async (words: string, code: string) => {
        const reply = await client.say(words)
        if (!reply.startsWith(code)) throw new Error(`wanted ${code}, got ${reply}`)
      }
      await client.reply()
      await say('EHLO bench.example.org', '250')
      for (let n = 0; n < share; n++) {
        const to = boxes[(connection + n) % MAILBOXES] ?? ''
        await say('MAIL FROM:<grace@example.org>', '250')
        await say(`RCPT TO:<${to}>`, '250')
        await say('DATA', '354')
        client.write(onTheWire(mailTo(to)))
        if (!(await client.reply()).startsWith('250')) throw new Error('a mail was refused')
      }
      client.close()
    }),
  )
}

const mailTo = (to: string): string => {
  const id = randomUUID()
  const lines =
    randomBytes(6_900)
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  const head = [
    ...['From: Grace <grace@example.org>', `To: ${to}`, `Subject: Picture ${id}`],
    ...['Date: Fri, 27 Nov 2026 10:00:00 +0000', `Message-ID: <${id}@example.org>`],
    ...['MIME-Version: 1.0', 'Content-Type: image/jpeg; name="a.jpg"'],
    'Content-Transfer-Encoding: base64',
  ]
  return [...head, '', ...lines, ''].join('\r\n')
}

/** Seconds. @throws when it fails */
const timed = async (
  words: readonly string[],
  settings: Record<string, string>,
): Promise<number> => {
  const startedAt = performance.now()
  const child = spawn(process.execPath, ['server/operator.ts', ...words], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${words[0]} ended with ${code}`)
  return (performance.now() - startedAt) / 1_000
}
