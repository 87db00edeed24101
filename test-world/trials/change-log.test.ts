/** Random histories of several sessions in one mailbox, told by the change log and shown by open pages; `npm run soak` runs ten thousand. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anApp, type TestApp } from '../app.ts'
import { wrongCounts } from '../mail/mail-counts.ts'
import { aMailReader } from '../members.ts'
import { aListReader } from './change-log/list-reader.ts'
import { aLogReader, readWhole } from './change-log/log-reader.ts'
import { step } from './change-log/session.ts'
import { aUidReader } from './change-log/uid-reader.ts'
import { chanceOf } from './seeded.ts'

const HISTORIES = Number(process.env.HISTORIES ?? 6)
const FROM = Number(process.env.FIRST_HISTORY ?? 1)
const ROUNDS = 15
const SESSIONS = 3

/** Histories in parallel, each with its own database and clock: half of the time is waiting. */
const LANES = Math.min(4, Math.ceil(HISTORIES / 20))

let lanes: TestApp[]
beforeAll(async () => {
  const aLane = () => anApp({ config: { newRecipientLimit: 0, sendLimit: 0 } })
  lanes = await Promise.all(Array.from({ length: LANES }, aLane))
})
afterAll(() => Promise.all(lanes.map((app) => app.close())))

/** Counts the steps that were taken. */
const runHistory = async (app: TestApp, seed: number, counts: Map<string, number>) => {
  const chance = chanceOf(seed)
  const { who, mailbox } = await aMailReader(app)
  const stage = { app, who, mailbox, chance, undo: [] }
  const readers = Array.from({ length: 3 }, () => aLogReader(app, who, mailbox.id))
  const pages = ['inbox', 'archive', 'sent', 'drafts'].map((folder) =>
    aListReader(app, who, mailbox.id, folder),
  )
  const programs = ['inbox', 'archive', 'trash'].map((role) =>
    aUidReader(app, who, mailbox.id, role),
  )
  for (let round = 0; round < ROUNDS; round++) {
    app.clock.advance({ seconds: 1 })
    const reader = readers[chance.between(0, readers.length * 3)]
    const doing = Array.from({ length: SESSIONS }, () => step(stage))
    const reading = pages.map((page) => {
      const act = chance.between(0, 3)
      return act === 0 ? page.readOn(chance.between(0, 3)) : act < 3 ? page.catchUp() : undefined
    })
    const syncing = programs.filter(() => chance.between(0, 1) === 0).map((each) => each.sync())
    await Promise.all([...doing, ...reading, ...syncing, reader?.readOn(chance.between(1, 7))])
    for (const name of await Promise.all(doing)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const whole = await readWhole(app, mailbox.id)
  for (const [at, reader] of readers.entries()) {
    await reader.catchUp(at + 2)
    expect(reader.known, `history ${seed}, reader ${at}`).toEqual(whole)
  }
  for (const program of programs) {
    const { known, there } = await program.compared()
    expect(known, `history ${seed}, a mail program`).toEqual(there)
  }
  for (const page of pages) {
    const { shown, there, isWhole } = await page.compared()
    expect(shown, `history ${seed}, an open page`).toEqual(there)
    expect(isWhole, `history ${seed}, an open page`).toBe(true)
    for (const how of ['applied', 'readAgain'] as const)
      counts.set(how, (counts.get(how) ?? 0) + page.told[how])
  }
  expect(await wrongCounts(app.db, mailbox.id), `history ${seed}`).toEqual([])
}

test(
  'whoever asks what happened since, at any moments, knows the mailbox as it is',
  async () => {
    const counts = new Map<string, number>()
    const seeds = Array.from({ length: HISTORIES }, (_, at) => FROM + at).values()
    const run = async (app: TestApp) => {
      for (const seed of seeds) await runHistory(app, seed, counts)
    }
    await Promise.all(lanes.map(run))
    // A sample without these steps proves nothing.
    const names = ['file', 'write', 'move', 'delete', 'undo', 'change many', 'change folders']
    const byUid = ['store', 'copy', 'move by uids', 'expunge', 'append']
    for (const name of [...names, ...byUid]) expect(counts.get(name) ?? 0, name).toBeGreaterThan(0)
    expect(counts.get('applied')).toBeGreaterThan((counts.get('readAgain') ?? 0) * 3)
    if (HISTORIES > 100) console.table([...counts])
  },
  HISTORIES * 60_000,
)
