/** An ordinary user: reads over the API, opens pages, receives mail. One request of each kind at a time, at a calm pace. */
import { Agent, request } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { median, percentile } from '../row.ts'

export type Honest = {
  httpUrl: string
  smtpPort: number
  token: string
  mailboxId: string
  address: string
}

export const KINDS = ['API', 'page', 'mail'] as const
export type Kind = (typeof KINDS)[number]
type Spell = Record<Kind, { p50: number; p99: number; count: number; failed: number }>
export type Times = Spell & {
  /** p99 of the delay of a timer in the measuring process: this part of the times is caused by the machine. */
  lateMs: number
}

/** The pause between two requests of a kind. */
const PAUSE_MS: Record<Kind, number> = { API: 15, page: 60, mail: 60 }
const NEVER_MS = 30_000

/** Medians over several spells: a single pause of the machine must not become the p99. */
export const measureHonest = async (
  honest: Honest,
  spells: { count: number; ms: number },
): Promise<Times> => {
  const delay = monitorEventLoopDelay({ resolution: 2 })
  delay.enable()
  const all: Spell[] = []
  for (let n = 0; n < spells.count; n++) all.push(await oneSpell(honest, spells.ms))
  delay.disable()
  const of = (kind: Kind) => ({
    p50: median(all.map((each) => each[kind].p50)),
    p99: median(all.map((each) => each[kind].p99)),
    count: all.reduce((sum, each) => sum + each[kind].count, 0),
    failed: all.reduce((sum, each) => sum + each[kind].failed, 0),
  })
  const lateMs = Math.max(0, delay.percentile(99) / 1e6 - 2)
  return { API: of('API'), page: of('page'), mail: of('mail'), lateMs }
}

const oneSpell = async (honest: Honest, forMs: number): Promise<Spell> => {
  const agent = new Agent({ keepAlive: true })
  const endsAt = performance.now() + forMs
  const measured = await Promise.all(
    KINDS.map(async (kind) => {
      const times: number[] = []
      let failed = 0
      for (let n = 0; performance.now() < endsAt; n++) {
        const startedAt = performance.now()
        const isDone = await doOne(kind, agent, honest, n).catch(() => false)
        if (!isDone) failed += 1
        times.push(performance.now() - startedAt)
        await new Promise((done) => setTimeout(done, PAUSE_MS[kind]))
      }
      const [p50, p99] = [percentile(times, 50), percentile(times, 99)]
      return [kind, { p50, p99, count: times.length, failed }] as const
    }),
  )
  agent.destroy()
  return Object.fromEntries(measured) as Spell
}

const doOne = (kind: Kind, agent: Agent, honest: Honest, n: number): Promise<boolean> => {
  const { smtpPort, mailboxId, address, token } = honest
  if (kind === 'mail')
    return sendMail(smtpPort, { from: 'grace@example.org', to: [address], raw: mail(n) }).then(
      (reply) => reply.startsWith('250'),
    )
  if (kind === 'page') return get(agent, `${honest.httpUrl}/login`)
  const paths = [
    ...['/domains', '/stats', '/workspaces', '/mailboxes?limit=50'],
    `/mailboxes/${mailboxId}/folders`,
    `/mailboxes/${mailboxId}/messages?folder=inbox&limit=50`,
  ]
  return get(agent, `${honest.httpUrl}/api/v1${paths[n % paths.length]}`, token)
}

const mail = (n: number) =>
  `From: Grace <grace@example.org>\r\nTo: you\r\nSubject: Number ${n}\r\nMessage-ID: <${n}-${Date.now()}@example.org>\r\n\r\nHello\r\n`

const get = (agent: Agent, url: string, token?: string): Promise<boolean> =>
  new Promise((done, fail) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const asked = request(url, { agent, headers, timeout: NEVER_MS }, (answer) => {
      answer.resume().on('end', () => done(answer.statusCode === 200))
    })
    asked.on('error', fail).on('timeout', () => asked.destroy())
    asked.end()
  })
