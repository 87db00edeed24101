/**
 * Mail programs, slow ones among them, and pages change one mailbox at the same time. Each program must know what is stored, and
 * who comes back after a pause what a fresh one sees. A seeded sample; `npm run soak` runs twenty programs for ten minutes.
 */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeAppPassword } from '#server/features/programs/app-passwords.ts'
import { openHttpServer } from '#server/http/http-server.ts'
import { type OpenImap, openImap } from '#server/mail/imap/listener.ts'
import { anApp, type TestApp } from '../app.ts'
import type { Mailbox } from '../builders.ts'
import { ImapClient } from '../imap/imap-client.ts'
import { wrongCounts } from '../mail/mail-counts.ts'
import { aMailReader } from '../members.ts'
import { aSession } from '../session.ts'
import { step } from './change-log/session.ts'
import { aPage } from './mail-programs/page.ts'
import { aProgram, type Program } from './mail-programs/program.ts'
import { readStored, watchGrowth } from './mail-programs/stored.ts'
import { type Chance, chanceOf } from './seeded.ts'

const PROGRAMS = Number(process.env.PROGRAMS ?? 5)
const SLOW = 2
/** Rounds, or as many as there is time for. */
const ROUNDS = Number(process.env.ROUNDS ?? 30)
const MINUTES = Number(process.env.MINUTES ?? 0)
const SEED = Number(process.env.SEED ?? 1)
/** Rounds after which all are asked what they know. */
const SETTLED_EVERY = 30
/** Of a slow program, for each piece that it reads. */
const SLOW_MS = 100
/** Who is away comes back after so many rounds at most. */
const LONGEST_PAUSE = 20

let app: TestApp
let server: FastifyInstance
let door: OpenImap
beforeAll(async () => {
  app = await anApp({ config: { newRecipientLimit: 0, sendLimit: 0 } })
  app.log.level = 'error'
  server = await openHttpServer(app)
  door = await openImap(app)
})
afterAll(async () => {
  await door.close()
  await server.close()
  await app.close()
})

const signedIn = async (
  { email }: Mailbox,
  password: string,
  slowMs: number,
): Promise<ImapClient> => {
  const client = await ImapClient.connect(door.imaps, { slowMs })
  await client.until('* OK')
  await client.ok(`LOGIN ${email} ${password}`)
  return client
}

test(
  'every program ends with the stored mailbox, numbers only grow, and nothing is told wrong',
  async () => {
    const chance = chanceOf(SEED)
    const { who, mailbox } = await aMailReader(app)
    const form = { name: 'All', scopes: ['imap' as const] }
    const { password } = await makeAppPassword(app, who, mailbox.id, form)
    const programFor = (slowMs: number, isQresync: boolean) =>
      aProgram(() => signedIn(mailbox, password, slowMs), chance, isQresync)
    const stage = { app, who, mailbox, chance, undo: [] }
    const page = aPage(
      server,
      mailbox,
      chance,
      async () => (await aSession(app, { id: who.userId })).headers,
    )
    for (let n = 0; n < 8; n++) await step(stage)
    const quick = await Promise.all(
      Array.from({ length: PROGRAMS }, (_, n) => programFor(0, n % 2 === 0)),
    )
    const slow = await Promise.all(
      Array.from({ length: SLOW }, (_, n) => programFor(SLOW_MS, n % 2 === 0)),
    )
    const all = [...quick, ...slow]
    for (const program of all) await program.open('INBOX')
    const growth = watchGrowth(app, mailbox.id)
    const counts = { rounds: 0, acts: 0, pauses: 0, comparisons: 0 }
    const patience = new Map<Program, Promise<void>>()

    /** Nobody does anything: what each knows is compared with what is stored. */
    const settle = async (): Promise<void> => {
      await Promise.all(patience.values())
      for (const program of all) if (program.isAway()) await program.comeBack()
      const stored = await readStored(app, mailbox.id)
      const fresh = await programFor(0, false)
      for (const [n, program] of all.entries()) {
        const folder = program.folder()
        const known = await program.known()
        expect(program.faults, `program ${n}`).toEqual([])
        expect(known, `program ${n} in ${folder}`).toEqual(
          stored.programs.get(folder.toUpperCase()),
        )
        await fresh.open(folder)
        expect(known, `program ${n} in ${folder}, beside a fresh one`).toEqual(await fresh.known())
        counts.comparisons += 1
      }
      await fresh.leave()
      expect(await page.known()).toEqual(stored.page)
      expect(page.faults).toEqual([])
      expect(await wrongCounts(app.db, mailbox.id)).toEqual([])
      await growth.uids()
    }

    const until = performance.now() + MINUTES * 60_000
    const isOver = () => (MINUTES > 0 ? performance.now() > until : counts.rounds >= ROUNDS)
    while (!isOver()) {
      counts.rounds += 1
      app.clock.advance({ seconds: 1 })
      for (const program of slow)
        if (!patience.has(program))
          patience.set(
            program,
            program.act().finally(() => patience.delete(program)),
          )
      await Promise.all([
        step(stage),
        page.act(),
        ...quick.map((each) => turn(each, chance, counts)),
      ])
      await growth.numbers()
      if (counts.rounds % SETTLED_EVERY === 0) await settle()
    }
    await settle()
    expect(counts.pauses).toBeGreaterThan(0)
    if (MINUTES > 0) console.log(counts)
    for (const program of all) await program.leave()
  },
  120_000 + MINUTES * 90_000,
)

/** Acts, goes away or comes back. */
const turn = async (
  program: Program,
  chance: Chance,
  counts: { acts: number; pauses: number },
): Promise<void> => {
  if (program.isAway()) {
    if (chance.between(0, LONGEST_PAUSE) === 0) await program.comeBack()
  } else if (chance.between(0, LONGEST_PAUSE) === 0) {
    counts.pauses += 1
    await program.leave()
  } else {
    counts.acts += 1
    await program.act()
  }
}
