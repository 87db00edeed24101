/** A host of the product: its roles in processes of their own, which are started again when they end, as systemd does. */
import { appendFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import { type Program, startProgram } from '../program.ts'
import { startDatabaseBalancer } from './balancers.ts'
import { DEPLOY } from './database-cluster.ts'
import type { Host } from './hosts.ts'
import { isAnswering } from './soon.ts'

/** RestartSec in deploy/mailstead.service. */
const RESTART_MS = 2_000

/** Of each process: what it does, and where it says how it is. */
const PROCESSES = { web: 9463, 'smtp,imap': 9464, worker: 9465 }
export type Roles = keyof typeof PROCESSES
export const ALL_ROLES = Object.keys(PROCESSES) as [Roles, ...Roles[]]

export type ProductHost = {
  host: Host
  /** The balancer in front of the database, and all processes. */
  start(): void
  kill(roles: Roles): void
  /** All of it ends, and nothing is started again until `start`. */
  die(): Promise<void>
  /** All processes are there, and find nothing missing. */
  isWhole(): Promise<boolean>
}

export const aProductHost = (
  host: Host,
  databases: readonly [Host, Host],
  { folder, logs, settings }: { folder: string; logs: string; settings: Record<string, string> },
): ProductHost => {
  const running = new Map<Roles, Program>()
  let isOn = false
  mkdirSync(folder, { recursive: true })
  const shared = { ...settingsOfHost(), ...settings, DATA_DIR: join(folder, host.name) }
  const startOne = (roles: Roles) => {
    const METRICS_LISTEN = `0.0.0.0:${PROCESSES[roles]}`
    const program = startProgram({ ...shared, METRICS_LISTEN, ROLES: roles }, [], host.within)
    running.set(roles, program)
    void program.ended.then(async ({ code, stdout, stderr }) => {
      const path = join(logs, `${host.name}-${roles}.log`)
      appendFileSync(path, `${stdout}${stderr}(it ended with ${code})\n`)
      await wait(RESTART_MS)
      if (isOn && running.get(roles) === program) startOne(roles)
    })
  }
  return {
    host,
    start: () => {
      isOn = true
      startDatabaseBalancer(host, databases)
      for (const roles of ALL_ROLES) startOne(roles)
    },
    kill: (roles) => running.get(roles)?.signal('SIGKILL'),
    die: async () => {
      isOn = false
      await host.die()
    },
    isWhole: async () => {
      const ports = Object.values(PROCESSES)
      const health = ports.map((port) => isAnswering(`http://${host.address}:${port}/healthz`))
      return (await Promise.all(health)).every((isWell) => isWell)
    },
  }
}

/** As operators get them; the trial has others for what they must set. */
const settingsOfHost = (): Record<string, string> => {
  const { BACKUP_KEY: _, ...settings } = parseEnv(
    readFileSync(join(DEPLOY, 'mailstead.env'), 'utf8'),
  )
  return settings as Record<string, string>
}

/** What the processes that have ended logged as an error, each once, with the number of times. */
export const errorsIn = (folder: string): string[] => {
  const times = new Map<string, number>()
  for (const name of readdirSync(folder).filter((each) => each.startsWith('product-')))
    for (const line of readFileSync(join(folder, name), 'utf8').split('\n')) {
      if (!/^\{"level":[56]0/.test(line)) continue
      const { msg, event, err } = JSON.parse(line)
      const text = [event, msg, err?.stack ?? err?.message].filter(Boolean).join(' ')
      times.set(text, (times.get(text) ?? 0) + 1)
    }
  return [...times].map(([text, count]) => `${count} times ${text}`)
}
