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

/** Its processes, by the file in deploy/cluster that says what each does, and where it says how it is. */
export const ALL_ROLES = ['web', 'mail', 'worker'] as const
export type Roles = (typeof ALL_ROLES)[number]

const settingsIn = (file: string) =>
  parseEnv(readFileSync(join(DEPLOY, `${file}.env`), 'utf8')) as Record<string, string>

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
    const program = startProgram({ ...shared, ...settingsIn(roles) }, [], host.within)
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
      const health = ALL_ROLES.map((roles) => {
        const port = settingsIn(roles).METRICS_LISTEN?.split(':')[1]
        return isAnswering(`http://${host.address}:${port}/healthz`)
      })
      return (await Promise.all(health)).every((isWell) => isWell)
    },
  }
}

/** As operators get them; the trial has others for what they must set. */
const settingsOfHost = (): Record<string, string> => {
  const { BACKUP_KEY: _, ...settings } = settingsIn('mailstead')
  return settings
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
