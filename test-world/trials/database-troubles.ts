/** Kinds of trouble for the PostgreSQL whose cluster is in a folder. */
import { execFileSync } from 'node:child_process'
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { connectionIn } from '../postgres/in-folder.ts'
import { ask, serverPid } from '../postgres/postgres-owner.ts'
import type { Pair } from '../postgres/primary-and-standby.ts'
import type { Trouble } from './database-trouble.ts'
import type { Chance } from './seeded.ts'

const OTHERS = `from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`

export const terminateAll = (folder: string): Trouble => ({
  name: 'pg_terminate_backend of all',
  strike: async () => {
    await ask(connectionIn(folder), `select pg_terminate_backend(pid) ${OTHERS}`)
  },
})

/** Like the kernel when memory runs out. */
export const killBackend = (folder: string, chance: Chance): Trouble => ({
  name: 'kill -9 of a backend',
  strike: async () => {
    const rows = await ask(connectionIn(folder), `select pid ${OTHERS}`)
    const pid = Number(rows[chance.between(0, rows.length - 1)]?.pid)
    process.kill(pid, 'SIGKILL')
  },
})

export const killPostmaster = (folder: string): Trouble => ({
  name: 'kill -9 of the postmaster',
  strike: async () => void process.kill(serverPid(folder), 'SIGKILL'),
})

/** Its owner starts it again. */
export const restart = (folder: string): Trouble => ({
  name: 'restart',
  strike: async () => void process.kill(serverPid(folder), 'SIGINT'),
})

export const stop = (folder: string, ms: number): Trouble => {
  let stopped: number[] = []
  return {
    name: `SIGSTOP for ${ms / 1000} s`,
    strike: async () => {
      const parent = serverPid(folder)
      stopped = [parent, ...childrenOf(parent)]
      for (const pid of stopped) process.kill(pid, 'SIGSTOP')
      await wait(ms)
    },
    end: async () => {
      for (const pid of stopped) process.kill(pid, 'SIGCONT')
    },
  }
}

/** As after a failover: the server refuses changes at first, and accepts them later. */
export const readOnly = (folder: string, ms: number): Trouble => {
  const set = async (value: string) => {
    const connection = connectionIn(folder)
    await ask(connection, `alter system set default_transaction_read_only = ${value}`)
    await ask(connection, 'select pg_reload_conf()')
  }
  return {
    name: `a standby for ${ms / 1000} s`,
    strike: async () => {
      await set('on')
      await wait(ms)
    },
    end: () => set('off'),
  }
}

/** `meanwhile`: runs until the standby is promoted. */
export const failOver = (pair: Pair, meanwhile: () => Promise<void>): Trouble => ({
  name: 'kill -9 of the primary, and a standby takes over',
  strike: async () => {
    pair.killPrimary()
    await meanwhile()
  },
  end: () => pair.promote(),
})

const GREEDY = 'greedy'
const AT_ONCE = 20

/**
 * Other clients take every connection of the server, including those of the product. Its watch keeps its connection until
 * `isNoticed`, because it reports what a new connection meets: a refusal, or no answer where the server is too busy to refuse.
 */
export const takeAllConnections = (
  folder: string,
  ms: number,
  isNoticed: () => Promise<boolean>,
): Trouble => {
  const taken: pg.Client[] = []
  const take = async (): Promise<boolean> => {
    const client = new pg.Client({ ...connectionIn(folder), application_name: GREEDY })
    client.on('error', () => {})
    try {
      await client.connect()
      taken.push(client)
      return true
    } catch {
      return false
    }
  }
  return {
    name: `others take all connections for ${ms / 1000} s`,
    strike: async () => {
      while (await take());
      const [first] = taken
      const endsAt = performance.now() + ms
      let spared = `(${GREEDY}|mailstead watch)`
      // The product reconnects quickly: its connections are ended again until the others have all of them.
      while (performance.now() < endsAt || spared.includes('watch')) {
        await first?.query(
          `select pg_terminate_backend(pid) ${OTHERS} and application_name !~ '^${spared}'`,
        )
        await Promise.all(Array.from({ length: AT_ONCE }, take))
        if (await isNoticed()) spared = GREEDY
      }
    },
    end: async () => {
      await Promise.all(taken.splice(0).map((client) => client.end()))
    },
  }
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)

/** For a disk with nothing else on it. */
export const fillDisk = (disk: string, ms: number): Trouble => {
  const filler = join(disk, 'filler')
  return {
    name: `a disk full to the last byte for ${ms / 1000} s`,
    strike: async () => {
      const endsAt = performance.now() + ms
      // Space that others release is filled again.
      while (performance.now() < endsAt) {
        fill(filler)
        await wait(100)
      }
    },
    end: async () => rmSync(filler),
  }
}

const fill = (path: string): void => {
  const file = openSync(path, 'a')
  try {
    for (let size = 1_000_000; size >= 1; size = Math.floor(size / 2))
      try {
        while (writeSync(file, Buffer.alloc(size)) === size);
      } catch {
        // Smaller pieces may still fit.
      }
  } finally {
    closeSync(file)
  }
}

/** A file system of its own; only root can mount it. */
export const mountSmallDisk = (folder: string, megabytes: number): (() => void) | null => {
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { stdio: 'ignore' })
  try {
    run('mount', '-t', 'tmpfs', '-o', `mode=711,size=${megabytes}m`, 'tmpfs', folder)
  } catch {
    return null
  }
  return () => void run('umount', folder)
}
