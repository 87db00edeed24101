/** A lock between processes. Its holder is identified by pid and start time, so a killed holder never blocks. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Runs `work` while holding the lock file at `path`.
 * @param {() => void} onWait called once when another process holds it
 */
export const withLock = async (path, onWait, work) => {
  mkdirSync(dirname(path), { recursive: true })
  const me = `${process.pid} ${startOf(process.pid)}`
  let hasWaited = false
  while (!take(path, me)) {
    if (isHeld(path)) {
      if (!hasWaited) onWait()
      hasWaited = true
      await new Promise((resolve) => setTimeout(resolve, 200))
    } else clear(path)
  }
  try {
    return await work()
  } finally {
    rmSync(path, { force: true })
  }
}

const take = (path, me) => {
  try {
    writeFileSync(path, me, { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

export const isHeld = (path) => {
  const holder = readOrNull(path)
  if (holder === null) return false
  // Created but not written yet: gives its owner a moment.
  if (holder === '') return ageSeconds(path) < 5
  const [pid, ...start] = holder.split(' ')
  return isAlive(Number(pid)) && startOf(pid) === start.join(' ')
}

/** Removes a lock whose holder is dead. Two processes that do this at once must not remove each other's new lock. */
const clear = (path) => {
  const guard = `${path}.clearing`
  try {
    mkdirSync(guard)
  } catch {
    if (ageSeconds(guard) > 10) rmSync(guard, { recursive: true, force: true })
    return
  }
  try {
    if (!isHeld(path)) rmSync(path, { force: true })
  } finally {
    rmdirSync(guard)
  }
}

const isAlive = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** The start time of a process, in the system's format; a pid is reused, a pair of both is not. */
const startOf = (pid) => {
  const status = readOrNull(`/proc/${pid}/stat`)
  if (status !== null) return status.slice(status.lastIndexOf(')')).split(' ')[20] ?? ''
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    return ''
  }
}

const readOrNull = (path) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

const ageSeconds = (path) => {
  try {
    return (Date.now() - statSync(path).mtimeMs) / 1000
  } catch {
    return 0
  }
}
