/** Runs one command of the checks in its own process group, so that no process that it started outlives it. */
import { spawn } from 'node:child_process'

export type Ended = { isOk: boolean; output: string }

const signals = ['SIGINT', 'SIGTERM'] as const
const running = new Set<() => void>()
const stopAll = () => {
  for (const stop of running) stop()
  process.exit(130)
}

type Options = {
  env?: Record<string, string>
  /** One that says nothing for so long is taken to hang, and ended. A slow computer makes none fail (decision 055). */
  silentMinutes?: number
}

export const runCommand = (
  command: string,
  args: readonly string[],
  { env = {}, silentMinutes = 5 }: Options = {},
): Promise<Ended> =>
  new Promise((resolve) => {
    const child = spawn(command, args, {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        limit.refresh()
      })
    const endGroup = (signal: NodeJS.Signals) => {
      if (child.pid === undefined) return
      try {
        process.kill(-child.pid, signal)
      } catch {
        // The group has already ended.
      }
    }
    const limit = setTimeout(() => {
      output += `\nended: it said nothing for ${silentMinutes} minutes\n`
      endGroup('SIGKILL')
    }, silentMinutes * 60_000)
    const stop = () => endGroup('SIGTERM')
    running.add(stop)
    if (running.size === 1) for (const signal of signals) process.once(signal, stopAll)
    const end = (isOk: boolean) => {
      clearTimeout(limit)
      running.delete(stop)
      if (running.size === 0) for (const signal of signals) process.off(signal, stopAll)
      resolve({ isOk, output })
    }
    child.on('error', (error) => {
      output += error.message
      end(false)
    })
    child.on('exit', () => endGroup('SIGKILL'))
    child.on('close', (code) => end(code === 0))
  })
