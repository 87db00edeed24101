/** The demo as a person starts it, walked through once and ended with Ctrl+C. */
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'

type Json = Record<string, unknown>
type Item = { _id: string; name: string; email: string; status: string; isVerified: boolean | null }
type Started = {
  url: string
  email: string
  password: string
  sandbox: string
  output: () => string
  kill(signal: NodeJS.Signals): void
  ended: Promise<number | null>
}

const started: Started[] = []
afterEach(async () => {
  for (const demo of started.splice(0)) {
    demo.kill('SIGTERM')
    await demo.ended
  }
})

const startDemo = async (): Promise<Started> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: { ...process.env, PORT: '0', SMTP_PORT: '0', SANDBOX_PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        if (output.includes('Ctrl+C ends')) resolve()
      })
    ended.then(() => reject(new Error(`the demo ended: ${output}`)), reject)
  })
  const said = (pattern: RegExp) => pattern.exec(output)?.[1] ?? ''
  const demo = {
    url: said(/ready: (\S+)/),
    email: said(/E-mail\s+(\S+)/),
    password: said(/Password\s+(\S+)/),
    sandbox: said(/Sandbox DNS\s+(\S+)/),
    output: () => output,
    kill: (signal: NodeJS.Signals) => void child.kill(signal),
    ended,
  }
  started.push(demo)
  return demo
}

const folders = () => readdirSync(tmpdir()).filter((name) => /^mailstead-(new-)?demo-/.test(name))

/** Processes that have this folder in their command line, such as its PostgreSQL. */
const processesOf = (folder: string): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      } catch {
        return ''
      }
    })
    .filter((line) => line.includes(folder))

const signIn = async ({ url, email, password }: Started) => {
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

const press = (sandbox: string, fields: Record<string, string>, origin?: string) =>
  fetch(sandbox, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: origin ?? new URL(sandbox).origin },
    body: new URLSearchParams(fields),
  })

it('shows the figures of the specification, verifies a domain and leaves nothing behind', {
  timeout: 90_000,
}, async () => {
  const before = folders()
  const demo = await startDemo()
  const [folder = ''] = folders().filter((name) => !before.includes(name))
  expect(processesOf(folder).length).toBeGreaterThan(0)
  const api = await signIn(demo)

  expect(await api.get('/stats')).toEqual({
    domains: { total: 42, active: 28, pending: 14, dnsVerified: 28, dnsPending: 9, dnsFailed: 5 },
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

  await walkDomain(api, demo)
  await walkMail(api)

  demo.kill('SIGINT')
  expect(await demo.ended, demo.output()).toBe(0)
  expect(folders()).not.toContain(folder)
  expect(processesOf(folder)).toEqual([])
})

type Api = Awaited<ReturnType<typeof signIn>>

const walkDomain = async (api: Api, { sandbox }: Started): Promise<void> => {
  const name = 'my-company.example'
  const { _id } = await api.post<Item>('/domains', { name })
  expect((await api.post<Item>(`/dns-records/verify-ownership/${_id}`)).isVerified).toBe(false)

  const strange = await press(sandbox, { action: 'publish', domain: name }, 'http://evil.example')
  expect(strange.status).toBe(403)
  expect((await press(sandbox, { action: 'publish', domain: name })).status).toBe(303)
  const page = await (await fetch(`${sandbox}?zone=${name}`)).text()
  expect(page).toContain('v=DKIM1')
  expect(page).not.toContain('Not published')

  expect((await api.post<Item>(`/dns-records/verify-ownership/${_id}`)).isVerified).toBe(true)
  await api.post(`/dns-records/verify-dns/${_id}`)
  const domains = await api.get<Item[]>('/domains')
  expect(domains.find((domain) => domain._id === _id)?.status).toBe('active')

  const markup = '"><script>alert(1)</script>'
  const typed = { action: 'add', domain: name, host: 'www', type: 'TXT', value: markup }
  expect((await press(sandbox, typed)).status).toBe(303)
  expect((await press(sandbox, { ...typed, type: 'A' })).status).toBe(422)
  expect(await (await fetch(`${sandbox}?zone=${name}`)).text()).not.toContain('<script>')

  const { status, name: other } = domains.find((each) => each.name === 'silver-birch.example') ?? {}
  expect({ status, other }).toEqual({ status: 'inactive', other: 'silver-birch.example' })
}

const walkMail = async (api: Api): Promise<void> => {
  const readable = await api.get<{ items: Item[] }>('/mailboxes?readable=true')
  const own = readable.items.find(({ email }) => email.startsWith('nora@'))
  const messages = `/mailboxes/${own?._id}/messages`
  const inbox = () => api.get<{ items: { subject: string }[] }>(`${messages}?limit=100`)
  expect((await inbox()).items.length).toBeGreaterThan(10)
  await api.post(messages, { to: ['mara@harbourlight.example'], subject: 'Hello', text: 'Hi' })
  await expect
    .poll(async () => (await inbox()).items.map(({ subject }) => subject), { timeout: 15_000 })
    .toContain('Re: Hello')
}

it('clears away what a demo left that was killed', { timeout: 90_000 }, async () => {
  const before = folders()
  const killed = await startDemo()
  const [folder = ''] = folders().filter((name) => !before.includes(name))
  killed.kill('SIGKILL')
  await killed.ended
  expect(folders()).toContain(folder)
  expect(processesOf(folder).length).toBeGreaterThan(0)

  const next = await startDemo()
  expect(next.output()).toContain('Removed what')
  expect(folders()).not.toContain(folder)
  expect(processesOf(folder)).toEqual([])
  next.kill('SIGINT')
  expect(await next.ended, next.output()).toBe(0)
})
