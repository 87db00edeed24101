/** The deliveries that one worker runs, and which it may start. A slow host does not delay mail to others (decision 023). */

const MAX_PER_DOMAIN = 5
/** Without deliveries that have become slow. */
const MAX_BRISK = 20
const MAX_ALL = 60
const MAX_KNOWN = 1_000

type Slot = { domain: string; startedAt: number; ended: Promise<void> }

export class Slots {
  readonly #slowMs: number
  readonly #isFull: (address: string) => boolean
  readonly #active = new Map<string, Slot>()
  /** Domains whose delivery waits for a host, with the address of that host. */
  readonly #waiting = new Map<string, string>()

  constructor(slowMs: number, isFull: (address: string) => boolean) {
    this.#slowMs = slowMs
    this.#isFull = isFull
  }

  get ids(): string[] {
    return [...this.#active.keys()]
  }

  hasRoom(): boolean {
    const now = performance.now()
    const brisk = [...this.#active.values()].filter(
      ({ startedAt }) => now - startedAt < this.#slowMs,
    )
    return brisk.length < MAX_BRISK && this.#active.size < MAX_ALL
  }

  /** The slot is in use until `free`; `work` never rejects. */
  take(id: string, domain: string, work: () => Promise<void>): void {
    const slot: Slot = { domain, startedAt: performance.now(), ended: Promise.resolve() }
    this.#active.set(id, slot)
    slot.ended = work()
  }

  free(id: string): void {
    this.#active.delete(id)
  }

  waitsFor(domain: string, address: string): void {
    const [first] = this.#waiting.keys()
    if (first !== undefined && this.#waiting.size >= MAX_KNOWN) this.#waiting.delete(first)
    this.#waiting.set(domain, address)
  }

  /** Domains with the maximum of running deliveries, or whose host has all its connections in use. */
  busyDomains(): string[] {
    const counts = new Map<string, number>()
    for (const { domain } of this.#active.values())
      counts.set(domain, (counts.get(domain) ?? 0) + 1)
    const busy = [...counts].flatMap(([domain, count]) => (count >= MAX_PER_DOMAIN ? [domain] : []))
    const waiting = [...this.#waiting].flatMap(([domain, at]) => (this.#isFull(at) ? [domain] : []))
    return [...new Set([...busy, ...waiting])]
  }

  async allEnded(): Promise<void> {
    await Promise.all([...this.#active.values()].map(({ ended }) => ended))
  }

  get isEmpty(): boolean {
    return this.#active.size === 0
  }
}
