import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { enqueueMessage } from '#server/features/outbox/enqueue-message.ts'
import { openMetricsText } from '#server/lib/metrics/open-metrics.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { metricsServer } from '../metrics-door.ts'

let app: TestApp
let server: Server
beforeAll(async () => {
  app = await anApp()
  server = metricsServer(app)
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(async () => {
  server.close()
  server.closeAllConnections()
  await app.close()
})

const ask = async (path: string) => {
  const { port } = server.address() as AddressInfo
  const answer = await fetch(`http://127.0.0.1:${port}${path}`)
  return { answer, text: await answer.text() }
}

type Family = { type: string; samples: Map<string, number> }

/** As the format says: each family once, with its type and help before its samples, and an end. */
const familiesIn = (text: string): Map<string, Family> => {
  const lines = text.split('\n')
  expect(lines.slice(-2)).toEqual(['# EOF', ''])
  const families = new Map<string, Family>()
  let current = ''
  for (const line of lines.slice(0, -2)) {
    const [, kind, name = '', rest = ''] = /^# (TYPE|UNIT|HELP) (\w+) (.+)$/.exec(line) ?? []
    if (kind === 'TYPE') {
      expect(families.has(name)).toBe(false)
      families.set(name, { type: rest, samples: new Map() })
      current = name
    } else if (kind === 'UNIT') expect(name.endsWith(`_${rest}`)).toBe(true)
    else if (kind === undefined) {
      const [, full = '', labels = '', value] = /^(\w+?)(\{.*\})? (-?[\d.e+-]+)$/.exec(line) ?? []
      const family = families.get(current)
      expect(full, line).toBe(family?.type === 'counter' ? `${current}_total` : current)
      family?.samples.set(labels, Number(value))
    } else expect(name).toBe(current)
  }
  return families
}

test('what happened is counted, and nobody is named', async () => {
  const client = { ip: '192.0.2.7', network: '192.0.2.7', helo: 'mx.stranger.example' }
  const mail = { from: 'ada@stranger.example', to: ['grace@customer.example'] }
  app.logEvent('mail-accepted', { ...client, ...mail, id: 'x', bytes: 700 })
  app.logEvent('mail-accepted', { ...client, ...mail, id: 'y', bytes: 50 })
  app.logEvent('mail-refused', { ...client, ...mail, at: 'recipient', reply: '550', why: 'rule' })
  const { answer, text } = await ask('/metrics')
  expect(answer.headers.get('content-type')).toContain('application/openmetrics-text')
  const families = familiesIn(text)
  const value = (name: string, labels = '') => families.get(name)?.samples.get(labels)
  expect(value('mailstead_up')).toBe(1)
  expect(value('mailstead_mails_accepted')).toBe(2)
  expect(value('mailstead_mails_accepted_bytes')).toBe(750)
  expect(value('mailstead_mails_refused', '{at="recipient",why="rule"}')).toBe(1)
  expect(value('mailstead_sign_ups')).toBe(0)
  expect(value('mailstead_disk_free_bytes')).toBeGreaterThan(1_000_000)
  expect(value('process_resident_memory_bytes')).toBeGreaterThan(1_000_000)
  expect(text).not.toMatch(/example|192\.0/)
})

test('the queue and the certificate are told as they are now', async () => {
  await app.certificates.load()
  for (const to of ['a', 'b'])
    await app.db.transaction().execute((tx) =>
      enqueueMessage(app, tx, {
        ...{ workspaceId: null, mailboxId: null, mailFrom: '', raw: Buffer.from('To: a\r\n\r\nb') },
        ...{ recipients: [`${to}@elsewhere.example`], isHeld: to === 'b' },
      }),
    )
  app.clock.advance({ minutes: 5 })
  const families = familiesIn((await ask('/metrics')).text)
  expect(families.get('mailstead_queue_deliveries')?.samples).toEqual(
    new Map([
      ['{state="queued"}', 1],
      ['{state="sending"}', 0],
    ]),
  )
  expect(families.get('mailstead_queue_oldest_seconds')?.samples.get('')).toBe(300)
  const expiry = families.get('mailstead_certificate_expiry_seconds')?.samples.get('') ?? 0
  expect(expiry / 86_400).toBeGreaterThan(3_000)
})

test('each has a line in the docs, and each line has a metric', async () => {
  const page = await readFile('docs/operating/metrics.md', 'utf8')
  const described = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
  const told = [...familiesIn((await ask('/metrics')).text).keys()]
  expect(described.toSorted()).toEqual(told.toSorted())
  expect(new Set(described).size).toBe(described.length)
})

test('labels are escaped, and other paths are not there', async () => {
  const samples = [{ labels: { why: 'a "b"\\\nc' }, value: 1 }]
  expect(openMetricsText([{ name: 'x', type: 'counter', help: 'h', samples }])).toBe(
    '# TYPE x counter\n# HELP x h\nx_total{why="a \\"b\\"\\\\\\nc"} 1\n# EOF\n',
  )
  expect((await ask('/metrics/x')).answer.status).toBe(404)
  expect((await ask('/healthz')).answer.status).toBe(200)
})

test('without a database the rest is still told', async () => {
  const away = await anApp()
  const door = metricsServer(away)
  await once(door.listen(0, '127.0.0.1'), 'listening')
  await away.database.drop()
  const { port } = door.address() as AddressInfo
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  expect(text).toContain('mailstead_up 0\n')
  expect(text).toContain('mailstead_disk_free_bytes')
  expect(text).not.toContain('mailstead_queue')
  door.close()
  door.closeAllConnections()
  await away.close()
})
