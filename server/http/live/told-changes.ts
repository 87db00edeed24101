/** What this process has told of changes, for pages that were drawn before they could listen. */
import type { Changed } from '#contract/events.ts'
import { newId } from '#server/lib/ids.ts'

const MOST = 10_000

export class ToldChanges {
  /** Other processes, and this one before it was started anew, number theirs differently. */
  readonly #process = newId()
  #count = 0
  /** Each change once, where it was told last, the oldest first. */
  readonly #lastAt = new Map<string, { event: Changed; at: number }>()
  /** What was told up to here may not be known any more. */
  #knownAfter = 0

  /** Of the last change, as `Last-Event-ID` names it. */
  get lastId(): string {
    return `${this.#process}.${this.#count}`
  }

  add(event: Changed): void {
    const key = JSON.stringify(event)
    this.#lastAt.delete(key)
    this.#lastAt.set(key, { event, at: ++this.#count })
    const [oldest] = this.#lastAt
    if (this.#lastAt.size <= MOST || !oldest) return
    this.#lastAt.delete(oldest[0])
    this.#knownAfter = oldest[1].at
  }

  /** Some have not been heard of. */
  lose(): void {
    this.#lastAt.clear()
    this.#knownAfter = ++this.#count
  }

  /** null when not all of them are known. */
  after(id: string): Changed[] | null {
    const [process, count] = id.split('.')
    const from = Number(count)
    if (process !== this.#process || !(from >= this.#knownAfter)) return null
    return [...this.#lastAt.values()].filter(({ at }) => at > from).map(({ event }) => event)
  }
}
