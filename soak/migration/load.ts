/** What people notice: how long mail waits for its 250, and a list for its answer, while something else goes on. */
import { setTimeout as wait } from 'node:timers/promises'
import { endlessMails, type Mail } from '#test-world/trials/mails.ts'
import { startSending } from '#test-world/trials/store/sender.ts'

export type Caller = {
  smtpPort: number
  email: string
  /** The path of a list below /api/v1. */
  list: string
  get(path: string): Promise<Response>
}

export type Figures = {
  mailsPerSecond: number
  mailMs: [half: number, most: number]
  listMs: [half: number, most: number]
}

export type Load = {
  acknowledged: Set<Mail>
  begun: Set<Mail>
  /** Until `isOver`. */
  measure(isOver: () => boolean | Promise<boolean>): Promise<Figures>
  stop(): Promise<string[]>
}

const BETWEEN_LISTS_MS = 20
const LOOK_MS = 100

/** Six senders at full speed, and one reader who lists without a break. */
export const startLoad = (caller: Caller, seed: number): Load => {
  const { email, list, get, smtpPort } = caller
  const sender = startSending(() => smtpPort, email, endlessMails(email, seed))
  const lists: number[] = []
  const faults: string[] = []
  let isStopped = false
  const reading = (async () => {
    while (!isStopped) {
      const startedAt = performance.now()
      const response = await get(list)
      await response.arrayBuffer()
      if (!response.ok) faults.push(`the list was answered ${response.status}`)
      lists.push(performance.now() - startedAt)
      await wait(BETWEEN_LISTS_MS)
    }
  })()
  return {
    acknowledged: sender.acknowledged,
    begun: sender.begun,
    measure: async (isOver) => {
      const [mailsBefore, listsBefore] = [sender.tookMs.length, lists.length]
      const startedAt = performance.now()
      while (!(await isOver())) await wait(LOOK_MS)
      const mails = sender.tookMs.slice(mailsBefore)
      return {
        mailsPerSecond: Math.round((mails.length * 1000) / (performance.now() - startedAt)),
        mailMs: halfAndMost(mails),
        listMs: halfAndMost(lists.slice(listsBefore)),
      }
    },
    stop: async () => {
      isStopped = true
      await Promise.all([sender.stop(), reading])
      return [...sender.faults, ...faults]
    },
  }
}

/** The median and the 99th of a hundred. */
const halfAndMost = (all: readonly number[]): [number, number] => {
  const sorted = all.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? 0)
  return [at(0.5), at(0.99)]
}
