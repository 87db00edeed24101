/** The demo in a separate process, for its tests. */
import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ANY_PORT } from '#test-world/program.ts'

export type RunningDemo = {
  url: string
  email: string
  password: string
  sandbox: string
  /** The front page of what stands in for Stripe; '' without BILLING=stripe. */
  cards: string
  output(): string
  signal(signal: NodeJS.Signals): void
  ended: Promise<number | null>
}

/** Resolves when the demo says `until`: without it, when the sample is complete. `temp`: the parent of its folder. */
export const runDemo = async (
  temp: string = tmpdir(),
  until = 'Ctrl+C ends',
  settings: Record<string, string> = {},
): Promise<RunningDemo> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: { ...process.env, ...ANY_PORT, TMPDIR: temp, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        if (output.includes(until)) resolve()
      })
    ended.then(() => reject(new Error(`the demo ended: ${output}`)), reject)
  })
  const match = (pattern: RegExp) => pattern.exec(output)?.[1] ?? ''
  return {
    url: match(/ready: (\S+)/),
    email: match(/E-mail\s+(\S+)/),
    password: match(/Password\s+(\S+)/),
    sandbox: match(/Sandbox DNS\s+(\S+)/),
    cards: match(/Instead of Stripe\s+(\S+)/),
    output: () => output,
    signal: (signal) => void child.kill(signal),
    ended,
  }
}
