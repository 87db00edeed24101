/** The whole product in a separate process, as `npm start` runs it. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

export type Program = {
  pid: number
  /** Waits for a matching line on standard output; returns the match. @throws when the program ends first */
  says(pattern: RegExp): Promise<RegExpExecArray>
  /** The same on standard error, which has the log. */
  logs(pattern: RegExp): Promise<RegExpExecArray>
  signal(signal: NodeJS.Signals): void
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>
}

/** Each listener takes a free port. */
export const ANY_PORT = {
  ...{ PORT: '0', SMTP_PORT: '0', SUBMISSION_PORT: '0', SUBMISSIONS_PORT: '0' },
  ...{ IMAP_PORT: '0', IMAPS_PORT: '0' },
}

const OURS = join(import.meta.dirname, '..')

/**
 * @param within a command prefix that runs the program, such as `unshare`
 * @param root the sources of another version
 */
export const startProgram = (
  settings: Record<string, string>,
  args: string[] = [],
  within: string[] = [],
  root = OURS,
): Program => {
  // An empty folder: no mailstead.env, and no settings of this machine.
  const folder = mkdtempSync(join(tmpdir(), 'mailstead-test-cwd-'))
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const main = join(root, 'server', 'main.ts')
  const [command = '', ...parameters] = [...within, process.execPath, main, ...args]
  const child = spawn(command, parameters, {
    cwd: folder,
    // `npm start` and `npm test` pass the compile cache to their children. RUN_AS is root because other users cannot reach the
    // test database's socket; tests of leaving root set another user.
    env: { PATH, NODE_COMPILE_CACHE, ...ANY_PORT, RUN_AS: 'root', ...settings },
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
