/**
 * The attacking process: gets the name of an attack, the world and its processor share on the command line, reports its start,
 * and continues until it is stopped. It has the lowest priority, because the product's work on the attack is measured, not the
 * lack of processors.
 */
import { constants, setPriority } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import type { Attack, WorstWorld } from './attack.ts'
import { allAttacks } from './attacks.ts'

const SPELL_MS = 50

/** Uses its processor share and sends nothing. */
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
const [, , name = '', world = '{}', share = ''] = process.argv
const mostOfProcessor = Number(share)
const attack = [standIn, ...allAttacks].find((each) => each.name === name)
if (attack === undefined) throw new Error(`'${name}' is no attack`)

const ended = new AbortController()
process.once('SIGTERM', () => ended.abort())
// Refused requests break connections, but the attack continues.
process.on('uncaughtException', () => {})

const used = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
/** Pauses all attacks of this process when it used too much, so that every attack is bounded. */
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
  await attack.run(JSON.parse(world) as WorstWorld, ended.signal).catch(() => wait(SPELL_MS))
process.exit(0)
