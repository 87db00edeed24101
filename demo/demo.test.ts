/** The demo as a user starts it, after one that was killed; used once and ended with Ctrl+C. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SandboxZone } from '#contract/dns/sandbox.ts'
import { type RunningDemo, runDemo } from './run-demo.ts'

type Json = Record<string, unknown>
type Item = { _id: string; name: string; email: string; status: string; isVerified: boolean | null }
/** For this test only: other demos may run on this machine. */
let temp = ''
beforeAll(() => {
  temp = mkdtempSync(join(tmpdir(), 'mailstead-test-'))
  // Started by root, PostgreSQL runs under another account.
  chmodSync(temp, 0o711)
})

const started: RunningDemo[] = []
afterAll(async () => {
  for (const demo of started.splice(0)) {
    demo.signal('SIGTERM')
    await demo.ended
  }
  rmSync(temp, { recursive: true, force: true })
})

const startDemo = async (until?: string): Promise<RunningDemo> => {
  const demo = await runDemo(temp, until)
  started.push(demo)
  return demo
}

const folders = () => readdirSync(temp).filter((name) => /^mailstead-(new-|old-)?demo-/.test(name))

/** Its PostgreSQL is running. The program that makes the database comes first, and ends with a killed demo. */
const hasDatabase = (folder: string): boolean =>
  existsSync(join(temp, folder, 'postgres', 'postmaster.pid'))

/** Processes with this folder in their command line, such as its PostgreSQL. */
const processesOf = (folder: string): string[] =>
  commandLines().filter((line) => line.includes(folder))

const commandLines = (): string[] =>
  existsSync('/proc/self/cmdline')
    ? readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map(commandLineOf)
    : execFileSync('ps', ['-Aww', '-o', 'args='], { encoding: 'utf8' }).split('\n')

const commandLineOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

const signIn = async ({ url, email, password }: RunningDemo) => {
  const post = async (path: string, body: Json, token = '') => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    })
    expect(response.status, path).toBeLessThan(300)
    return (await response.json()) as Json
  }
  const { token } = await post('/auth/login', { email, password })
  return {
    get: async <T>(path: string): Promise<T> => {
      const headers = { authorization: `Bearer ${token}` }
      const response = await fetch(`${url}/api/v1${path}`, { headers })
      expect(response.status, path).toBe(200)
      return (await response.json()) as T
    },
    post: <T>(path: string, body: Json = {}) => post(path, body, String(token)) as Promise<T>,
  }
}

/** A start takes seconds, so the demo that is started after the killed one is also the one that is used. */
let demo: RunningDemo

it('clears away what a demo left that was killed', async () => {
  // As soon as its database runs: what the sample adds to it makes no difference.
  const killed = await startDemo('Making the demo')
  await expect.poll(() => folders().filter(hasDatabase)).toHaveLength(1)
  const [folder = ''] = folders()
  killed.signal('SIGKILL')
  await killed.ended
  expect(folders()).toContain(folder)
  expect(processesOf(folder).length).toBeGreaterThan(0)

  demo = await startDemo()
  expect(demo.output()).toContain('Removed what')
  expect(folders()).not.toContain(folder)
  expect(processesOf(folder)).toEqual([])
})

it('shows the figures of the specification, verifies a domain and leaves nothing behind', async () => {
  const [folder = ''] = folders()
  expect(processesOf(folder).length).toBeGreaterThan(0)
  const api = await signIn(demo)

  expect(await api.get('/stats')).toEqual({
    domains: {
      total: 42,
      active: 28,
      pending: 14,
      dnsVerified: 28,
      needWork: 16,
      dnsPending: 8,
      dnsFailed: 6,
    },
    mailboxes: {
      total: 106,
      active: 64,
      suspended: 36,
      inactive: 6,
      activeDomains: 13,
      slots: 34,
    },
    storage: { usedBytes: 48_750_000_000, quotaBytes: 75_000_000_000 },
    messages: { today: expect.any(Number), yesterday: expect.any(Number) },
  })
  const { messages } = await api.get<{ messages: { today: number; yesterday: number } }>('/stats')
  expect(messages.today - messages.yesterday).toBe(12)
  const invoices = await api.get<{ items: Item[] }>('/invoices')
  expect(new Set(invoices.items.map(({ status }) => status))).toEqual(new Set(['Due', 'Paid']))

  await walkDomain(api)
  await walkMail(api)

  demo.signal('SIGINT')
  expect(await demo.ended, demo.output()).toBe(0)
  expect(demo.output()).toMatch(/\nStopping \.\.\.\n$/)
  await expect.poll(folders).toEqual([])
  expect(processesOf(folder)).toEqual([])
})

type Api = Awaited<ReturnType<typeof signIn>>

const walkDomain = async (api: Api): Promise<void> => {
  const name = 'my-company.example'
  const { _id } = await api.post<Item>('/domains', { name })
  expect((await api.post<Item>(`/dns-records/verify-ownership/${_id}`)).isVerified).toBe(false)

  const zone = await api.post<SandboxZone>(`/sandbox-dns/${_id}/publish`)
  expect(zone.asked.map(({ isPublished }) => isPublished)).toEqual(Array(5).fill(true))

  expect((await api.post<Item>(`/dns-records/verify-ownership/${_id}`)).isVerified).toBe(true)
  await api.post(`/dns-records/verify-dns/${_id}`)
  const domains = await api.get<Item[]>('/domains')
  expect(domains.find((domain) => domain._id === _id)?.status).toBe('active')

  for (const [broken, purpose, words] of mistakes) {
    const { _id: id = '' } = domains.find((each) => each.name === broken) ?? {}
    const records = await api.get<Found[]>(`/dns-records/dns/${id}`)
    const said = [await api.get<Found>(`/dns-records/ownership/${id}`), ...records]
    expect(said.find((record) => record.purpose === purpose)?.explanation).toMatch(words)
  }
}

type Found = { purpose: string; explanation: string }
const mistakes = [
  ['two-cats-cafe.example', 'spf', /2 SPF records/],
  ['ironbridge-forge.example', 'dkim', /cut off/],
  ['maple-leaf-rentals.example', 'ownership', /another value/],
  ['silver-birch.example', 'dmarc', /mistake/],
  ['anchor-and-rope.example', 'spf', /does not let our servers/],
  ['nightingale-radio.example', 'ownership', /SERVFAIL/],
] as const

const walkMail = async (api: Api): Promise<void> => {
  const readable = await api.get<{ items: Item[] }>('/mailboxes?readable=true')
  const own = readable.items.find(({ email }) => email.startsWith('nora@'))
  const messages = `/mailboxes/${own?._id}/messages`
  const inbox = () => api.get<{ items: { subject: string }[] }>(`${messages}?limit=100`)
  expect((await inbox()).items.length).toBeGreaterThan(10)
  await api.post(messages, { to: ['mara@harbourlight.example'], subject: 'Hello', text: 'Hi' })
  await expect
    .poll(async () => (await inbox()).items.map(({ subject }) => subject))
    .toContain('Re: Hello')

  // A test mail is answered, too, as by a person.
  const domains = await api.get<Item[]>('/domains')
  const domain = domains.find(({ name }) => own?.email.endsWith(`@${name}`))
  const path = `/domains/${domain?._id}/test-mail`
  await api.post(path, { mailboxId: own?._id, to: 'mara@harbourlight.example' })
  type Answer = { testMail: { answer: { kind: string } | null } }
  await expect.poll(async () => (await api.get<Answer>(path)).testMail.answer?.kind).toBe('answer')
}
