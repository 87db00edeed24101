/** The whole product in a process of its own, as `npm start` runs it. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

export type Program = {
  pid: number
  /** Waits for a line on standard output that matches, and answers what it caught. @throws when it ends before. */
  says(pattern: RegExp): Promise<RegExpExecArray>
  /** The same on standard error, where the log is. */
  logs(pattern: RegExp): Promise<RegExpExecArray>
  signal(signal: NodeJS.Signals): void
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>
}

/** @param within a command that runs what follows it, such as `unshare` */
export const startProgram = (
  settings: Record<string, string>,
  args: string[] = [],
  within: string[] = [],
): Program => {
  // Nothing of this computer's settings, and no mailstead.env.
  const folder = mkdtempSync(join(tmpdir(), 'mailstead-test-cwd-'))
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const main = join(import.meta.dirname, '../server/main.ts')
  const [command = '', ...parameters] = [...within, process.execPath, main, ...args]
  const child = spawn(command, parameters, {
    cwd: folder,
    // The cache of compiled code is what `npm start` and `npm test` give to all that they start.
    // The database of tests is reached through a folder that is closed to others; what leaves root says so.
    env: { PATH, NODE_COMPILE_CACHE, PORT: '0', SMTP_PORT: '0', RUN_AS: 'root', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve)).then(
    (code) => {
      rmSync(folder, { recursive: true, force: true })
      return { code, stdout, stderr }
    },
  )
  const heard = (stream: Readable, all: () => string) => (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(all())
        if (found) resolve(found)
      }
      look()
      stream.on('data', look)
      ended.then(() => reject(new Error(`it ended and said:\n${stdout}${stderr}`)), reject)
    })
  return {
    pid: child.pid ?? 0,
    says: heard(child.stdout, () => stdout),
    logs: heard(child.stderr, () => stderr),
    signal: (signal) => void child.kill(signal),
    ended,
  }
}
