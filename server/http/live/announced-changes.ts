/** The latest changes that this process announced, for pages that were drawn before they listened. */
import type { Changed } from '#contract/events.ts'
import { newId } from '#server/lib/ids.ts'

const MOST = 10_000

export class AnnouncedChanges {
  /** Ids of other processes and of earlier starts differ. */
  readonly #process = newId()
  #count = 0
  /** Each change once, at its latest announcement, oldest first. */
  readonly #lastAt = new Map<string, { event: Changed; at: number }>()
  /** Changes up to this number may be forgotten. */
  #knownAfter = 0

  /** Id of the last change, for `Last-Event-ID`. */
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

  /** Notifications may have been missed. */
  lose(): void {
    this.#lastAt.clear()
    this.#knownAfter = ++this.#count
  }

  /** null when some are forgotten. */
  after(id: string): Changed[] | null {
    const [process, count] = id.split('.')
    const from = Number(count)
    if (process !== this.#process || !(from >= this.#knownAfter)) return null
    return [...this.#lastAt.values()].filter(({ at }) => at > from).map(({ event }) => event)
  }
}
