/**
 * Recorded sessions of mail programs, mutated, over the real socket: no crash, no answer that is late, and no change in the mailbox of
 * another tenant, whose program works meanwhile. A seeded sample; `npm run soak` runs a million.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { receiveMessage } from '#server/features/messages/receive-message.ts'
import { anApp, type TestApp } from '../app.ts'
import { stateOfMailbox } from '../database-state.ts'
import { anImapWorld, type ImapReader, type ImapWorld } from '../imap/imap-world.ts'
import { letters } from '../real-mail/letters.ts'
import { type Outcome, runSession, type Target } from './imap-mutations/session.ts'

const SAMPLE = 250
const isSoak = process.env.SESSIONS !== undefined
const SESSIONS = Number(process.env.SESSIONS ?? SAMPLE)
const FIRST = Number(process.env.SEED ?? 1)
const LANES = 6
/** What one mailbox is given, before another takes its place: they fill it. */
const OF_MAILBOX = 200
const LATE_MS = 1_000
const TRIES_ALONE = 3
/** A heap that was collected has such waves. */
const FLAT_BYTES = 30_000_000

let app: TestApp
let world: ImapWorld
let honest: ImapReader
beforeAll(async () => {
  app = await anApp()
  // Each line that is logged is kept by the test.
  app.log.level = 'error'
  world = await anImapWorld(app)
  honest = await aFullReader()
})
afterAll(async () => {
  await world.close()
  await app.close()
})

const aFullReader = async (): Promise<ImapReader> => {
  const reader = await world.aReader()
  const { id: mailboxId, workspaceId } = reader.mailbox
  for (const { raw } of letters.slice(0, 5))
    await receiveMessage(
      app,
      app.db,
      { raw: Buffer.from(raw), mailFrom: 'ada@example.org', authentication: null },
      [{ mailboxId, workspaceId }],
    )
  return reader
}

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')
const heapBytes = (): number => {
  collect()
  return process.memoryUsage().heapUsed
}

test(
  'no mutated session harms the door, or anybody behind it',
  async () => {
    const program = await honest.signIn()
    await program.ok('EXAMINE INBOX')
    const before = await stateOfMailbox(app.db, honest.mailbox.id)
    const work = { isOver: false, slowestMs: 0, late: 0, answers: 0 }
    const working = (async () => {
      while (!work.isOver) {
        const startedAt = performance.now()
        await program.ok('FETCH 1:* (FLAGS ENVELOPE)')
        const answerMs = performance.now() - startedAt
        work.slowestMs = Math.max(work.slowestMs, answerMs)
        work.late += Number(answerMs > LATE_MS)
        work.answers += 1
        await new Promise((done) => setTimeout(done, 20))
      }
    })()
    const sum = { sessions: 0, answered: 0, open: 0, again: 0, slowestMs: 0 }
    const late: number[] = []
    const heaps: number[] = []
    const note = (seed: number, outcome: Outcome): void => {
      expect(outcome.fault, `session ${seed}`).toBe(null)
      sum.sessions += 1
      sum.answered += Number(outcome.isAnswered)
      sum.open += Number(outcome.isOpen)
      if (outcome.silentMs > LATE_MS) late.push(seed)
      else sum.slowestMs = Math.max(sum.slowestMs, outcome.silentMs)
    }
    /** Each of those that were late, alone: a machine that others use is late by itself. */
    const tryAgain = async (target: Target): Promise<void> => {
      for (const seed of late.splice(0)) {
        sum.again += 1
        const times: number[] = []
        for (let n = 0; n < TRIES_ALONE; n++) times.push((await runSession(target, seed)).silentMs)
        expect(Math.min(...times), `session ${seed} is late each time`).toBeLessThan(LATE_MS)
      }
    }
    try {
      for (let first = FIRST; first < FIRST + SESSIONS; first += OF_MAILBOX) {
        const { mailbox, password } = await aFullReader()
        const target = { ...world.door, email: mailbox.email, password }
        const end = Math.min(first + OF_MAILBOX, FIRST + SESSIONS)
        const seeds = Array.from({ length: end - first }, (_, n) => first + n).values()
        const run = async () => {
          for (const seed of seeds) note(seed, await runSession(target, seed))
        }
        await Promise.all(Array.from({ length: LANES }, run))
        await tryAgain(target)
        heaps.push(heapBytes())
      }
    } finally {
      work.isOver = true
      await working
    }
    expect(sum.sessions).toBe(SESSIONS)
    expect(sum.answered).toBeGreaterThan(SESSIONS / 2)
    const grownBytes = (heaps.at(-1) ?? 0) - (heaps[Math.min(2, heaps.length - 1)] ?? 0)
    expect(grownBytes).toBeLessThan(FLAT_BYTES)
    if (isSoak) {
      console.log({ ...sum, honest: work, grownBytes, ...process.memoryUsage() })
      expect(work.late).toBeLessThan(work.answers / 1_000)
    }
    expect(await stateOfMailbox(app.db, honest.mailbox.id)).toBe(before)
    // The room for messages on their way is free again.
    const raw = `Subject: large\r\n\r\n${'x'.repeat(20_000_000)}\r\n`
    await program.ok(`APPEND INBOX {${raw.length}+}\r\n${raw}`)
  },
  Math.max(120_000, SESSIONS * 100),
)
