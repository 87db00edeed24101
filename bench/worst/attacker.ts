/**
 * The process that attacks: it is given an attack's name, the world and its share of a processor on the command line, says that
 * it has begun, and goes on until it is ended. It has the lowest priority: what is measured is what the product does with what
 * comes, not what is left of two processors.
 */
import { constants, setPriority } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import type { Attack, WorstWorld } from './attack.ts'
import { allAttacks } from './attacks.ts'

const SPELL_MS = 50

/** Spends what it may of the processor, and asks nothing of anybody. */
const standIn: Attack = {
  name: 'stand-in',
  who: 'stranger',
  run: async (_world, signal) => {
    while (!signal.aborted) {
      const endsAt = performance.now() + 5
      while (performance.now() < endsAt);
      await wait(0)
    }
  },
}

setPriority(constants.priority.PRIORITY_LOW)
const [, , name = '', given = '{}', most = ''] = process.argv
const mostOfProcessor = Number(most)
const attack = [standIn, ...allAttacks].find((each) => each.name === name)
if (attack === undefined) throw new Error(`'${name}' is no attack`)

const ended = new AbortController()
process.once('SIGTERM', () => ended.abort())
// What is refused ends connections, and the attack goes on.
process.on('uncaughtException', () => {})

const used = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
/** Sleeps with all that runs here when too much was used: so that every attack is bounded, whatever it does. */
const rest = async () => {
  let [at, before] = [performance.now(), used()]
  while (!ended.signal.aborted) {
    await wait(SPELL_MS)
    const owed = (used() - before) / mostOfProcessor - (performance.now() - at)
    if (owed > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, owed)
    at = performance.now()
    before = used()
  }
}
void rest()
process.stdout.write('begun\n')
while (!ended.signal.aborted)
  await attack.run(JSON.parse(given) as WorstWorld, ended.signal).catch(() => wait(SPELL_MS))
process.exit(0)
