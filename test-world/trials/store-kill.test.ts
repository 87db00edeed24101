/** A few kills while the store is swept, chosen by seeds; `npm run soak` does many. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aProduct, ELSEWHERE, NO_BRAKES, type Product } from '../product.ts'
import { anAccount, anActiveDomain } from './account.ts'
import { aStoreTrial, type StoreKills, type StoreTrial, type Victim } from './store-kill.ts'

const KILLS = Number(process.env.KILLS ?? 2)
const DATABASE_KILLS = Number(process.env.DATABASE_KILLS ?? 1)
const SEED = Number(process.env.SEED ?? 188)
/** A sample says nothing and cannot meet all that a long trial meets. */
const IS_SAID = KILLS > 10
const SECONDS_EACH = 120

let product: Product
let store: StoreKills
beforeAll(async () => {
  product = await aProduct({ BILLING: 'off', DOMAIN_MAILBOX_LIMIT: '100000', ...NO_BRAKES })
  const account = await anAccount(product, `ada@${ELSEWHERE}`)
  const domain = await anActiveDomain(product, account, 'store.example')
  store = await aStoreTrial({ product, account, domain })
})
afterAll(() => product.close())

/** Those of the database alone are spread among the others. */
const victims = (): Victim[] => {
  const all = KILLS + DATABASE_KILLS
  const isOfDatabase = (n: number) =>
    Math.floor(((n + 1) * DATABASE_KILLS) / all) > Math.floor((n * DATABASE_KILLS) / all)
  return Array.from({ length: all }, (_, n) => (isOfDatabase(n) ? 'database' : 'everything'))
}

test(
  'kill -9 while mail is filed and the store is swept: nothing is lost, doubled, changed, unfound or untold',
  async () => {
    const trials: StoreTrial[] = []
    for (const [n, victim] of victims().entries()) {
      const seed = SEED + n
      const trial = await store.kill(seed, victim)
      trials.push(trial)
      const { acknowledged, inFlight, last, sweep, isHalfMoved, isHalfRewritten, restartMs } = trial
      if (IS_SAID)
        console.log(
          `kill ${n + 1} (seed ${seed}, ${victim}): ${acknowledged} mails with 250, ${inFlight} without; ${JSON.stringify({ ...last, sweep, isHalfMoved, isHalfRewritten })}; again after ${Math.round(restartMs)} ms`,
        )
      expect(trial.faults, `seed ${seed}`).toEqual([])
    }
    expect(await store.finish()).toEqual([])
    const count = (is: (trial: StoreTrial) => boolean) => trials.filter(is).length
    const counts = {
      kills: trials.length,
      acknowledged: trials.reduce((sum, trial) => sum + trial.acknowledged, 0),
      inFlight: trials.reduce((sum, trial) => sum + trial.inFlight, 0),
      'sweeps interrupted': count(({ sweep }) => sweep !== null),
      'while files were moved': count(({ sweep }) => sweep === 'files'),
      'after which some files had moved and others not': count(({ isHalfMoved }) => isHalfMoved),
      'while segments were rewritten': count(({ sweep }) => sweep === 'segments'),
      'after which a segment was half rewritten': count(({ isHalfRewritten }) => isHalfRewritten),
      'while a statement filed a mail': count(({ last }) => last.isFiling),
    }
    if (IS_SAID) console.table(counts)
    // Kills that interrupt no sweep prove nothing.
    expect(counts['sweeps interrupted']).toBeGreaterThan(trials.length / 2)
    expect(counts['while files were moved']).toBeGreaterThan(0)
    if (IS_SAID) expect(counts['while a statement filed a mail']).toBeGreaterThan(0)
    if (IS_SAID) expect(counts['while segments were rewritten']).toBeGreaterThan(0)
  },
  (KILLS + DATABASE_KILLS) * SECONDS_EACH * 1000,
)
