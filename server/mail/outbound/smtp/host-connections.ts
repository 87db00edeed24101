/**
 * The connections of one worker: so many to a host at once, and those that a mail has just gone over are kept for a
 * moment for the next one.
 */
import type { Destination, Session } from './session.ts'

/** Also when a thousand domains have their mail there. */
export const MAX_PER_HOST = 10
const MAX_MAILS_PER_CONNECTION = 50
const MAX_IDLE = 20

/** All that may be open to this host are in use. The delivery waits without an attempt. */
export class HostFull extends Error {
  readonly address: string

  constructor(address: string) {
    super(`${address} has all the connections that it may have`)
    this.address = address
  }
}

type Idle = { kind: string; session: Session; timer: NodeJS.Timeout }

export class HostConnections {
  readonly #keepMs: number
  readonly #inUse = new Map<string, number>()
  #idle: Idle[] = []

  constructor(keepMs: number) {
    this.#keepMs = keepMs
  }

  isFull(address: string): boolean {
    return (this.#inUse.get(address) ?? 0) >= MAX_PER_HOST
  }

  /** Runs with a place at the host. @throws HostFull at once. */
  async withPlace<T>({ dialled: { address } }: Destination, run: () => Promise<T>): Promise<T> {
    if (this.isFull(address)) throw new HostFull(address)
    this.#inUse.set(address, (this.#inUse.get(address) ?? 0) + 1)
    try {
      return await run()
    } finally {
      const left = (this.#inUse.get(address) ?? 1) - 1
      if (left > 0) this.#inUse.set(address, left)
      else this.#inUse.delete(address)
    }
  }

  /** The one that was used last: its other end is the least likely to have gone. */
  takeIdle(to: Destination): Session | null {
    const kind = kindOf(to)
    const found = this.#idle.findLast((idle) => idle.kind === kind)
    if (found === undefined) return null
    this.#forget(found)
    return found.session.isOpen ? found.session : this.takeIdle(to)
  }

  keep(to: Destination, session: Session): void {
    if (!session.isOpen) return
    if (session.mails >= MAX_MAILS_PER_CONNECTION) {
      session.end()
      return
    }
    const [oldest] = this.#idle
    if (oldest !== undefined && this.#idle.length >= MAX_IDLE) this.#end(oldest)
    const timer = setTimeout(() => this.#end(idle), this.#keepMs)
    timer.unref()
    const idle: Idle = { kind: kindOf(to), session, timer }
    this.#idle.push(idle)
  }

  close(): void {
    for (const idle of this.#idle) this.#end(idle)
  }

  #end(idle: Idle): void {
    this.#forget(idle)
    idle.session.end()
  }

  #forget(idle: Idle): void {
    clearTimeout(idle.timer)
    this.#idle = this.#idle.filter((each) => each !== idle)
  }
}

/** What was promised about a connection when it was made goes for all that is sent over it. */
const kindOf = ({ host, dialled: { address, port }, isSecure, tls, auth }: Destination): string =>
  JSON.stringify([host, address, port, isSecure, tls, auth?.user])
