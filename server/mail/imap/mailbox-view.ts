/**
 * The selected folder as this client knows it. Its sequence numbers change only when the client is told (RFC 9051 §2.3.1.2):
 * what left the folder stays in here until then.
 */
import { type MessageSet, resolveRanges } from './wire/message-sets.ts'

export class MailboxView {
  readonly folderId: string
  readonly uidValidity: number
  readonly isReadOnly: boolean
  /** Everything up to this modseq has been told, or will be by `gone`. */
  modseq: number
  /** Everything up to this one has been told, also what has left: from here the client may ask what it has missed. */
  completeModseq: number
  /** The client did not want to hear of some changes of flags: it has to ask from `completeModseq`. */
  hasUntold = false
  /** The highest that stood in an answer. */
  highestTold = 0
  /** Ascending. */
  #uids: Uint32Array
  #count: number
  /** Left the folder; the client was not told yet. */
  readonly gone = new Set<number>()
  /** By uid: the modseq of changes that the client was told with the answer to its own command. */
  readonly told = new Map<number, number>()
  /** What the last SEARCH has saved (RFC 5182). */
  saved: readonly number[] = []

  constructor(
    folder: { folderId: string; uidValidity: number; modseq: number; uids: Uint32Array },
    isReadOnly: boolean,
  ) {
    this.folderId = folder.folderId
    this.uidValidity = folder.uidValidity
    this.modseq = folder.modseq
    this.completeModseq = folder.modseq
    this.isReadOnly = isReadOnly
    this.#uids = folder.uids
    this.#count = folder.uids.length
  }

  get count(): number {
    return this.#count
  }

  get lastUid(): number {
    return this.#uids[this.#count - 1] ?? 0
  }

  /** `sequence`: from 1. */
  uidAt(sequence: number): number | undefined {
    return sequence < 1 || sequence > this.#count ? undefined : this.#uids[sequence - 1]
  }

  noteTold(modseq: number): void {
    this.highestTold = Math.max(this.highestTold, modseq)
  }

  /** 0: it is not in here. */
  sequenceOf(uid: number): number {
    const at = this.#placeOf(uid)
    return at < this.#count && this.#uids[at] === uid ? at + 1 : 0
  }

  *uids(): Generator<number> {
    for (let at = 0; at < this.#count; at++) yield this.#uids[at] ?? 0
  }

  /** Ascending, behind the last one. */
  add(uids: readonly number[]): void {
    const count = this.#count + uids.length
    if (count > this.#uids.length) {
      const larger = new Uint32Array(count + 16)
      larger.set(this.#uids.subarray(0, this.#count))
      this.#uids = larger
    }
    this.#uids.set(uids, this.#count)
    this.#count = count
  }

  /** @returns their sequence numbers as they are when each is told after the other. */
  remove(uids: readonly number[]): number[] {
    const places = uids
      .map((uid) => this.sequenceOf(uid))
      .filter((sequence) => sequence > 0)
      .toSorted((a, b) => a - b)
    if (places.length === 0) return []
    const removed = new Set(places)
    let kept = 0
    for (let at = 0; at < this.#count; at++)
      if (!removed.has(at + 1)) this.#uids[kept++] = this.#uids[at] ?? 0
    this.#count = kept
    this.saved = this.saved.filter((uid) => this.sequenceOf(uid) > 0)
    return places.map((place, n) => place - n)
  }

  /** The uids of a set, ascending; numbers that are in no message are left out. */
  resolve(set: MessageSet, isUid: boolean): number[] {
    if (set === 'saved') return [...this.saved]
    if (this.#count === 0) return []
    const found: number[] = []
    for (const { first, last } of resolveRanges(set, isUid ? this.lastUid : this.#count)) {
      const from = isUid ? this.#placeOf(first) : first - 1
      const end = isUid ? this.#placeOf(last + 1) : Math.min(last, this.#count)
      for (let at = from; at < end; at++) found.push(this.#uids[at] ?? 0)
    }
    return found
  }

  /** Whether each sequence number of the set is that of a message. */
  hasAll(set: MessageSet): boolean {
    return (
      set === 'saved' || resolveRanges(set, this.#count).every(({ last }) => last <= this.#count)
    )
  }

  /** Of the first uid that is not lower. */
  #placeOf(uid: number): number {
    let [low, high] = [0, this.#count]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#uids[middle] ?? 0) < uid) low = middle + 1
      else high = middle
    }
    return low
  }
}
