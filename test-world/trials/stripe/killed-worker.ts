/** A real worker, killed by SIGKILL at a chosen call to Stripe or a moment after it: between any two steps. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import type { TestApp } from '../../app.ts'
import type { StripeStage } from '../../stripe/stage.ts'
import type { Chance } from '../seeded.ts'

export class KilledWorker {
  kills = 0
  private child: ChildProcess | null = null
  private lines: Interface | null = null
  private readonly app: TestApp
  private readonly stage: StripeStage
  private readonly chance: Chance

  constructor(app: TestApp, stage: StripeStage, chance: Chance) {
    this.app = app
    this.stage = stage
    this.chance = chance
  }

  private async start(): Promise<{ child: ChildProcess; lines: Interface }> {
    if (this.child && this.lines) return { child: this.child, lines: this.lines }
    const { connection, config } = this.app
    const child = spawn(process.execPath, ['test-world/trials/stripe/worker.ts'], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, WORKER: JSON.stringify({ connection, stripe: config.stripe }) },
    })
    const lines = createInterface(child.stdout as NodeJS.ReadableStream)
    await once(lines, 'line')
    this.child = child
    this.lines = lines
    return { child, lines }
  }

  /** One round, in most of which it is killed. */
  async work(): Promise<void> {
    const { child, lines } = await this.start()
    const ended = once(child, 'exit')
    const kind = this.chance.oneOf<'before' | 'after' | 'later' | 'never'>([
      ...(['before', 'after', 'later', 'never'] as const),
    ])
    let left = this.chance.between(1, 5)
    this.stage.trouble = () => {
      left -= 1
      if (left !== 0 || kind === 'never') return 'none'
      // The answer never comes, or the process dies while it works on it.
      if (kind === 'later') setTimeout(() => child.kill('SIGKILL'), this.chance.between(0, 12))
      else child.kill('SIGKILL')
      return kind === 'later' ? 'none' : kind
    }
    child.stdin?.write(`${this.app.clock.now().toISOString()}\n`)
    await Promise.race([ended, once(lines, 'line')])
    await wait(kind === 'later' && left <= 0 ? 15 : 0)
    this.stage.trouble = () => 'none'
    if (child.signalCode === null && left > 0) return
    await Promise.race([ended, wait(200)])
    if (child.signalCode === null) return
    this.kills += 1
    this.child = null
    this.lines = null
  }

  async close(): Promise<void> {
    if (this.child === null) return
    const ended = once(this.child, 'exit')
    this.child.kill('SIGKILL')
    await ended
  }
}
