/** Runs one command of the checks in a process group of its own, so that nothing it started outlives it. */
import { spawn } from 'node:child_process'

export type Ended = { isOk: boolean; output: string }

export const runCommand = (
  command: string,
  args: readonly string[],
  { env = {}, limitMinutes = 5 }: { env?: Record<string, string>; limitMinutes?: number } = {},
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
      })
    const endGroup = (signal: NodeJS.Signals) => {
      if (child.pid === undefined) return
      try {
        process.kill(-child.pid, signal)
      } catch {
        // Nobody is left in it.
      }
    }
    const limit = setTimeout(() => {
      output += `\nended after ${limitMinutes} minutes\n`
      endGroup('SIGKILL')
    }, limitMinutes * 60_000)
    const stop = () => {
      endGroup('SIGTERM')
      process.exit(130)
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
    const end = (isOk: boolean) => {
      clearTimeout(limit)
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop)
      resolve({ isOk, output })
    }
    child.on('error', (error) => {
      output += error.message
      end(false)
    })
    child.on('exit', () => endGroup('SIGKILL'))
    child.on('close', (code) => end(code === 0))
  })
