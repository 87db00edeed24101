/** The connections of one worker: limited per host, and kept open briefly after a mail for the next one. */
import type { Destination } from '#server/lib/remote/smtp-destination.ts'
import type { Session } from './session.ts'

/** Also for a host with the mail of a thousand domains. */
export const MAX_PER_HOST = 10
const MAX_MAILS_PER_CONNECTION = 50
const MAX_IDLE = 20

/** All connections that may be open to this host are in use. The delivery waits; no attempt is counted. */
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

  /** Runs `run` while it occupies one connection of the host. @throws HostFull at once */
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

  /** The most recently used one: its peer is the least likely to have closed it. */
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

/** Mails share a connection only when all its security requirements are equal. */
const kindOf = ({ host, dialled: { address, port }, isSecure, tls, auth }: Destination): string =>
  JSON.stringify([host, address, port, isSecure, tls, auth?.user])
