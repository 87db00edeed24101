/** While our own main thread is busy, timers fire late: the database must not be reported as away. */
import pg from 'pg'
import pino from 'pino'
import { expect, test } from 'vitest'
import { newReadiness } from '#server/lib/readiness.ts'
import { aDatabase } from '#test-world/database.ts'
import { newDatabaseWatch } from './database-watch.ts'
import { preparing, withoutNames } from './prepared-statements.ts'
import { trackSockets } from './sockets.ts'

const nothing = new Int32Array(new SharedArrayBuffer(4))
/** Blocks this process for `ms`. */
const beBusy = (ms: number) => void Atomics.wait(nothing, 0, 0, ms)
const round = () => new Promise((resolve) => setImmediate(resolve))

test('a watch that connects while each round of the event loop takes a second accuses nobody', async () => {
  const { connection, drop } = await aDatabase()
  const said: string[] = []
  const readiness = newReadiness()
  const watch = newDatabaseWatch(pino({}, { write: (line) => said.push(line) }), readiness)
  watch.start({ connection, pooled: null, sockets: trackSockets() }, 'watch')
  for (let rounds = 0; rounds < 6; rounds++) {
    beBusy(1_050)
    await round()
  }
  expect(said).toEqual([])
  expect(readiness.missing()).toEqual([])
  await watch.close()
  await drop()
})

test('a time limit that is over because we were busy is begun again', async () => {
  const { connection, drop } = await aDatabase()
  const limit = { max: 1, connectionTimeoutMillis: 2_000 }
  const errors: Error[] = []
  const pool = preparing(new pg.Pool({ ...connection, ...limit }), withoutNames, {
    onError: (error) => errors.push(error),
    isSilent: () => false,
  })
  const first = await pool.connect()
  const second = pool.connect()
  setImmediate(() => setImmediate(() => first.release()))
  beBusy(2_300)
  await (await second).release()
  expect(errors).toEqual([])

  const third = await pool.connect()
  await expect(pool.connect()).rejects.toThrow('timeout exceeded')
  expect(errors).toHaveLength(1)
  third.release()
  await pool.end()
  await drop()
})
