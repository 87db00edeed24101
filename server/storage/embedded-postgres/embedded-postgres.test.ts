import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { putCluster } from '#test-world/postgres/data-dir.ts'
import { ask, type Owner, serverPid, startOwner } from '#test-world/postgres/postgres-owner.ts'

const isRoot = process.getuid?.() === 0
const nobody = { uid: 65534, gid: 65534 }
const root = mkdtempSync(join(tmpdir(), 'mailstead-test-'))
chmodSync(root, 0o711)
afterAll(() => rmSync(root, { recursive: true, force: true }))

const aFolder = (...path: string[]): string => {
  const folder = join(root, randomBytes(4).toString('hex'), ...path)
  mkdirSync(folder, { recursive: true, mode: 0o711 })
  return folder
}

/** For tests that need an existing cluster. */
const aFolderWithCluster = (...path: string[]): string => {
  const folder = aFolder(...path)
  putCluster(folder)
  return folder
}

const owners: Owner[] = []
const start = async (...parameters: Parameters<typeof startOwner>): Promise<Owner> => {
  const owner = await startOwner(...parameters)
  owners.push(owner)
  return owner
}
const stopped = async (owner: Owner) => {
  owners.splice(owners.indexOf(owner), 1)
  await owner.stop()
}
const killed = async (owner: Owner) => {
  owners.splice(owners.indexOf(owner), 1)
  await owner.kill()
}
afterEach(async () => {
  for (const owner of owners.splice(0)) await owner.stop()
})

/** Neither dead nor a zombie. */
const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
const gone = (pid: number) => expect.poll(() => isAlive(pid)).toBe(false)
const WRITE = "create table kept as select 'yes' as here"
const READ = 'select here from kept'

describe('the first start', () => {
  // One cluster for all of it: making one takes seconds.
  test('makes a durable cluster that only a socket reaches, also where the umask hides all from others and another start was killed half-way', async () => {
    const folder = aFolder()
    // What root made for itself, root's PostgreSQL may not enter before it is let in.
    if (isRoot) chmodSync(folder, 0o700)
    const half = join(folder, 'postgres.0198a6a5-6f54-7d6c-8f10-3f1d5d3a1111.part')
    mkdirSync(half)
    writeFileSync(join(half, 'PG_VERSION'), '18')
    const owner = await start(folder, { umask: '077' })
    expect(existsSync(half)).toBe(false)
    const settings = ['fsync', 'full_page_writes', 'data_checksums', 'server_encoding']
    const shown = await ask(
      owner.connection,
      `select name, setting from pg_settings where name in ('${[...settings, 'listen_addresses'].join("','")}')`,
    )
    expect(Object.fromEntries(shown.map(({ name, setting }) => [name, setting]))).toEqual({
      fsync: 'on',
      full_page_writes: 'on',
      data_checksums: 'on',
      server_encoding: 'UTF8',
      listen_addresses: '',
    })
    expect(owner.connection.host).toBe(join(folder, 'run'))
    expect(statSync(join(folder, 'run')).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'database-password')).mode & 0o777).toBe(0o600)
    await expect(ask({ ...owner.connection, password: 'another' }, 'select 1')).rejects.toThrow(
      'password authentication failed',
    )

    await ask(owner.connection, WRITE)
    const pid = serverPid(folder)
    await stopped(owner)
    expect(isAlive(pid)).toBe(false)
    expect(existsSync(join(folder, 'postgres', 'postmaster.pid'))).toBe(false)
    const again = await start(folder)
    expect(await ask(again.connection, READ)).toEqual([{ here: 'yes' }])
  })

  test('twice at once: one gets it, the other is told, nothing is broken', async () => {
    const folder = aFolder()
    const [one, two] = await Promise.allSettled([start(folder), start(folder)])
    const outcomes = [one, two].map(({ status }) => status).toSorted()
    expect(outcomes).toEqual(['fulfilled', 'rejected'])
    const reason = [one, two].find((result) => result.status === 'rejected')?.reason
    expect(String(reason)).toContain('already running on this DATA_DIR')
    expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([])
    const [owner] = owners
    if (!owner) throw new Error('nobody owns it')
    await ask(owner.connection, WRITE)
    await stopped(owner)
    const again = await start(folder)
    expect(await ask(again.connection, READ)).toEqual([{ here: 'yes' }])
  })

  test.runIf(isRoot)('by root names the folder that PostgreSQL may not enter', async () => {
    const folder = aFolder('private', 'data')
    chmodSync(join(folder, '..'), 0o700)
    await expect(start(folder)).rejects.toThrow(`may not enter ${join(folder, '..')}. Please`)
    expect(existsSync(join(folder, 'postgres'))).toBe(false)
  })

  test.runIf(isRoot && othersMayRun())('works for an ordinary user', async () => {
    const folder = aFolder()
    chownSync(folder, nobody.uid, nobody.gid)
    const owner = await start(folder, nobody)
    expect(statSync(join(folder, 'postgres')).uid).toBe(nobody.uid)
    expect(await ask(owner.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe('a second start', () => {
  test('is refused, and the first goes on', async () => {
    const folder = aFolderWithCluster()
    const owner = await start(folder)
    const { startEmbeddedPostgres } = await import('./start-embedded-postgres.ts')
    await expect(startEmbeddedPostgres({ dataDir: folder })).rejects.toThrow(
      `Mailstead is already running on this DATA_DIR (${folder}).`,
    )
    expect(await ask(owner.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe('after kill -9', () => {
  test('of its owner, the server that still runs is taken over', async () => {
    const folder = aFolderWithCluster()
    const first = await start(folder)
    await ask(first.connection, WRITE)
    const pid = serverPid(folder)
    await killed(first)
    expect(isAlive(pid)).toBe(true)
    const second = await start(folder)
    expect(serverPid(folder)).toBe(pid)
    expect(await ask(second.connection, READ)).toEqual([{ here: 'yes' }])
    await stopped(second)
    expect(isAlive(pid)).toBe(false)
  })

  test('of both, the next start recovers', async () => {
    const folder = aFolderWithCluster()
    const first = await start(folder)
    await ask(first.connection, WRITE)
    const pid = serverPid(folder)
    await killed(first)
    process.kill(pid, 'SIGKILL')
    await gone(pid)
    const second = await start(folder)
    expect(serverPid(folder)).not.toBe(pid)
    expect(await ask(second.connection, READ)).toEqual([{ here: 'yes' }])
  })

  test('of the server, its owner brings it back and still holds the lock', async () => {
    const folder = aFolderWithCluster()
    const owner = await start(folder)
    await ask(owner.connection, WRITE)
    const pid = serverPid(folder)
    process.kill(pid, 'SIGKILL')
    await gone(pid)
    const read = () => ask(owner.connection, READ).catch(() => null)
    await expect.poll(read).toEqual([{ here: 'yes' }])
    expect(serverPid(folder)).not.toBe(pid)
    await expect(start(folder)).rejects.toThrow('already running')
  })

  test.runIf(process.platform === 'linux')(
    'a pid that now belongs to another program does not hinder the start',
    async () => {
      const folder = aFolderWithCluster()
      const first = await start(folder)
      const pid = serverPid(folder)
      await killed(first)
      process.kill(pid, 'SIGKILL')
      await gone(pid)
      const { uid, gid } = statSync(join(folder, 'postgres'))
      const other = spawn('sleep', ['60'], { cwd: '/', ...(isRoot && { uid, gid }) })
      writeFileSync(
        join(folder, 'postgres', 'postmaster.pid'),
        `${other.pid}\n${join(folder, 'postgres')}\n1\n5432\n${join(folder, 'run')}\n\n\nready   \n`,
      )
      // As in a copy of the folder, made while a server ran on another host.
      writeFileSync(
        join(folder, 'run', '.s.PGSQL.5432.lock'),
        `${other.pid}\n${join(folder, 'postgres')}\n1\n5432\n${join(folder, 'run')}\n`,
      )
      try {
        const second = await start(folder)
        expect(await ask(second.connection, 'select 1 as one')).toEqual([{ one: 1 }])
        expect(serverPid(folder)).not.toBe(other.pid)
      } finally {
        other.kill()
      }
    },
  )
})

describe('a DATA_DIR with a long path', () => {
  test('has its socket in a short private folder that goes with the server', async () => {
    const folder = aFolderWithCluster('long'.repeat(20), 'very'.repeat(20))
    const first = await start(folder)
    const socketFolder = first.connection.host
    expect(Buffer.byteLength(join(socketFolder, '.s.PGSQL.5432'))).toBeLessThanOrEqual(103)
    expect(statSync(socketFolder).mode & 0o777).toBe(0o700)
    const pid = serverPid(folder)
    await killed(first)
    process.kill(pid, 'SIGKILL')
    await gone(pid)
    const second = await start(folder)
    expect(second.connection.host).toBe(socketFolder)
    expect(await ask(second.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    await stopped(second)
    expect(existsSync(socketFolder)).toBe(false)
  })
})

/** Whether another account can run this Node with these files. */
function othersMayRun(): boolean {
  for (const file of [process.execPath, import.meta.filename])
    for (let at = join(file, '..'); at !== '/'; at = join(at, '..'))
      if ((statSync(at).mode & 0o001) === 0) return false
  accessSync(process.execPath, constants.X_OK)
  return true
}
