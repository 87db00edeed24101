/**
 * The folder of one demo, deleted at its end. A killed demo leaves its folder and its PostgreSQL; the next demo removes both. A
 * socket in the folder shows whether its demo is alive: it answers exactly while the process runs.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { startEmbeddedPostgres } from '#server/storage/embedded-postgres/start-embedded-postgres.ts'

const PREFIX = 'mailstead-demo-'
const NEW_PREFIX = 'mailstead-new-demo-'
/** A folder that is being removed. */
const OLD_PREFIX = 'mailstead-old-demo-'
const SIGN_OF_LIFE = 'alive'
/** Far longer than a folder exists without its socket, or than its removal takes. */
const HALF_MADE_MS = 60_000

export type ThrowawayFolder = { path: string; remove(): Promise<void> }

export const makeThrowawayFolder = async (): Promise<ThrowawayFolder> => {
  const fresh = mkdtempSync(join(tmpdir(), NEW_PREFIX))
  const alive = createServer((socket) => socket.end()).unref()
  await new Promise<void>((resolve, reject) => {
    alive.once('error', reject)
    alive.listen(join(fresh, SIGN_OF_LIFE), resolve)
  })
  // The folder gets its final name when its socket answers, so no other demo removes it.
  const path = join(tmpdir(), basename(fresh).replace(NEW_PREFIX, PREFIX))
  renameSync(fresh, path)
  return {
    path,
    remove: async () => {
      await new Promise((resolve) => alive.close(resolve))
      removeLater(path)
    },
  }
}

/** PostgreSQL has 1,500 files: removing them takes seconds on a busy disk, so another process does it. */
const removeLater = (path: string): void => {
  const old = join(tmpdir(), basename(path).replace(PREFIX, OLD_PREFIX))
  renameSync(path, old)
  const remove = `require('node:fs').rmSync(${JSON.stringify(old)}, { recursive: true, force: true })`
  spawn(process.execPath, ['-e', remove], { cwd: '/', detached: true, stdio: 'ignore' }).unref()
}

/** Removes the folders of killed demos; returns their number. Those of other users stay. */
export const removeRemainders = async (): Promise<number> => {
  let count = 0
  for (const name of readdirSync(tmpdir())) {
    const path = join(tmpdir(), name)
    if (!isOurs(path)) continue
    const isLeft = name.startsWith(PREFIX)
      ? !(await isAlive(path))
      : /^mailstead-(new|old)-demo-/.test(name) &&
        Date.now() - statSync(path).mtimeMs > HALF_MADE_MS
    if (isLeft && (await removeRemainder(path))) count += 1
  }
  return count
}

const isOurs = (path: string): boolean => {
  const owner = statSync(path, { throwIfNoEntry: false })?.uid
  return owner !== undefined && owner === (process.getuid?.() ?? owner)
}

const isAlive = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(join(path, SIGN_OF_LIFE))
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

const removeRemainder = async (path: string): Promise<boolean> => {
  try {
    await stopPostgres(path)
    rmSync(path, { recursive: true, force: true })
    return true
  } catch {
    // Another starting demo is removing it too.
    return false
  }
}

/** Its PostgreSQL may still run: taking it over is the only way to stop it in order. */
const stopPostgres = async (dataDir: string): Promise<void> => {
  if (!existsSync(join(dataDir, 'postgres', 'postmaster.pid'))) return
  const postgres = await startEmbeddedPostgres({ dataDir, isDurable: false })
  await postgres.stop()
}
