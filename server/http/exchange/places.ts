/**
 * Room for large bodies and answers, which stay in memory until the last byte is sent. Each party and each network has a
 * share, so that none fills it; a body without room waits unread, and parties take turns. While
 * one waits, the slowest holder that is still sending or reading loses its place.
 */
import { Ledger, type Owner, type Shares } from './shares.ts'

export type Place = {
  /** Bytes sent or received: a holder that moves few while others wait loses the place. */
  moved(bytes: number): void
  /** From now on the client is not timed, until `moved` is called. */
  rest(): void
  /** The body turned out smaller. */
  shrink(bytes: number): void
  /** A second call does nothing. */
  release(): void
}

/** Limits when places run out: time to wait, time of grace for new holders, and the slowest rate. */
export type Pace = { waitMs: number; graceMs: number; bytesPerSecond: number }

const PACE: Pace = { waitMs: 20_000, graceMs: 5_000, bytesPerSecond: 1_000_000 }
/** Per party: a browser sends six requests at once per tab. */
const MAX_WAITING = 24

type Holder = Owner & {
  bytes: number
  moved: number
  /** null while the server works on it. */
  since: number | null
  onLost(): void
}
type Waiting = Owner & {
  bytes: number
  since: number
  onLost(): void
  begin(place: Place | null): void
}

export class Places {
  private readonly ledger: Ledger
  private readonly holders = new Set<Holder>()
  /** Waiting bodies by party; a served party moves to the end. */
  private readonly lines = new Map<string, Waiting[]>()
  private readonly timer: NodeJS.Timeout

  private readonly pace: Pace

  constructor(shares: Shares, pace: Pace = PACE) {
    this.pace = pace
    this.ledger = new Ledger(shares)
    this.timer = setInterval(() => this.look(), pace.graceMs / 5).unref()
  }

  get taken(): number {
    return this.ledger.taken
  }

  close(): void {
    clearInterval(this.timer)
  }

  /** null when there is no room in time. `onLost`: called when the place is lost to others. */
  take(owner: Owner, bytes: number, onLost: () => void): Promise<Place | null> {
    if (this.lines.size === 0 && this.ledger.fits(owner, bytes))
      return Promise.resolve(this.hold(owner, bytes, onLost))
    const line = this.lines.get(owner.party) ?? []
    if (line.length >= MAX_WAITING) return Promise.resolve(null)
    return new Promise((begin) => {
      line.push({ ...owner, bytes, since: performance.now(), begin, onLost })
      this.lines.set(owner.party, line)
      this.serve()
    })
  }

  /** null when there is no room now. */
  takeNow(owner: Owner, bytes: number, onLost: () => void): Place | null {
    return this.ledger.fits(owner, bytes) ? this.hold(owner, bytes, onLost) : null
  }

  private hold({ party, network }: Owner, bytes: number, onLost: () => void): Place {
    const holder: Holder = { party, network, bytes, moved: 0, since: performance.now(), onLost }
    this.holders.add(holder)
    this.ledger.add(holder, bytes)
    return {
      moved: (more) => {
        holder.since ??= performance.now()
        holder.moved += more
      },
      rest: () => {
        holder.since = null
        holder.moved = 0
      },
      shrink: (to) => {
        if (!this.holders.has(holder) || to >= holder.bytes) return
        this.ledger.add(holder, to - holder.bytes)
        holder.bytes = to
        this.serve()
      },
      release: () => this.end(holder),
    }
  }

  private end(holder: Holder): void {
    if (!this.holders.delete(holder)) return
    this.ledger.add(holder, -holder.bytes)
    this.serve()
  }

  private serve(): void {
    for (const [party, line] of [...this.lines]) {
      const [first] = line
      // Beyond its own share it waits for its own bodies; beyond the share of all it queues, so that it is served in turn.
      if (first === undefined || !this.ledger.fitsShare(first, first.bytes)) continue
      if (!this.ledger.fits(first, first.bytes)) return
      line.shift()
      this.lines.delete(party)
      if (line.length > 0) this.lines.set(party, line)
      first.begin(this.hold(first, first.bytes, first.onLost))
    }
  }

  private look(): void {
    const now = performance.now()
    const { waitMs, graceMs } = this.pace
    for (const each of [...this.lines.values()].flat())
      if (now - each.since > waitMs) this.giveUp(each)
    const isShort = [...this.lines.values()]
      .flat()
      .some((each) => now - each.since > graceMs / 2 && this.ledger.fitsParty(each, each.bytes))
    const slowest = isShort ? slowestOf(this.holders, now, this.pace) : null
    if (slowest === null) return
    slowest.onLost()
    this.end(slowest)
  }

  private giveUp(waiting: Waiting): void {
    const rest = this.lines.get(waiting.party)?.filter((each) => each !== waiting) ?? []
    if (rest.length > 0) this.lines.set(waiting.party, rest)
    else this.lines.delete(waiting.party)
    waiting.begin(null)
    this.serve()
  }
}

/** null when all are fast enough or have just started. */
const slowestOf = (holders: Set<Holder>, now: number, pace: Pace): Holder | null => {
  const rateOf = ({ moved, since }: Holder) =>
    since === null || now - since < pace.graceMs
      ? Number.POSITIVE_INFINITY
      : (moved * 1000) / (now - since)
  let slowest: Holder | null = null
  for (const each of holders) if (slowest === null || rateOf(each) < rateOf(slowest)) slowest = each
  return slowest !== null && rateOf(slowest) < pace.bytesPerSecond ? slowest : null
}
