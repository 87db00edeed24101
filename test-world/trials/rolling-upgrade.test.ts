/**
 * Versions side by side: two processes change theirs one after the other, and back, while mail flows (decision 134).
 * `FROM=COMMIT`: from that version to this one, and to the next.
 */
import { rmSync } from 'node:fs'
import { afterAll, afterEach, expect, test } from 'vitest'
import { ask } from '../postgres/postgres-owner.ts'
import { NEXT, theNextVersion, versionOf, worksWithOurs } from './rolling/other-versions.ts'
import { aRollingWorld, type Member, type RollingWorld } from './rolling/rolling-world.ts'

const { FROM } = process.env
/** How often each work is done between two changes. */
const TIMES = Number(process.env.TIMES ?? 3)
const LONGEST_MS = 5_000

const trees: string[] = []
const tree = (made: string): string => {
  trees.push(made)
  return made
}
afterAll(() => {
  for (const each of trees) rmSync(each, { recursive: true, force: true })
})
let world: RollingWorld
afterEach(() => world.close())

/** Nothing lost, and nothing twice. */
const check = async ({ load, database, peer }: RollingWorld): Promise<void> => {
  await load.end()
  process.stdout.write(`${reportOf(load)}\n`)
  const rows = await ask(
    database.connection,
    "select subject, count(*)::int as times from messages where subject like 'In %' group by subject",
  )
  const stored = new Map(rows.map(({ subject, times }) => [String(subject), Number(times)]))
  expect([...load.acknowledged].filter((subject) => !stored.has(subject))).toEqual([])
  // A mail whose answer was lost comes again.
  const twice = [...stored].filter(([subject, times]) => times > 1 && !load.unsure.has(subject))
  expect(twice).toEqual([])
  const arrived = () =>
    peer.messages
      .flatMap(({ to }) => to)
      .filter((to) => to.startsWith('out'))
      .toSorted()
  await expect.poll(() => new Set(arrived()).size).toBe(load.sent.length)
  expect(arrived()).toEqual(load.sent.toSorted())
}

const secondsOf = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

const reportOf = ({ works, unsure }: RollingWorld['load']): string =>
  [
    ...works.map(
      ({ name, done, failed, refusedMs, longestMs, slow }) =>
        `${name}: ${done} times, ${failed.length} cut off or refused, for ${secondsOf(refusedMs)} at most; the longest wait was ${secondsOf(longestMs)}: ${[...new Set(failed), ...slow].join(' | ')}`,
    ),
    `${unsure.size} mails had to be sent again`,
  ].join('\n')

const change = async (what: string, member: Member, root: string | undefined): Promise<void> => {
  world.load.note(what)
  const seconds = await member.becomes(root)
  process.stdout.write(`${what}: ready after ${seconds.toFixed(1)} s\n`)
  world.load.note(`after: ${what}`)
  await world.load.goesOn(TIMES)
}

const sample = () =>
  test('a process of the next version runs beside one of this, which starts again on its database', async () => {
    const next = tree(theNextVersion())
    world = await aRollingWorld(undefined)
    const { load, members } = world
    await load.goesOn(TIMES)
    await change('the second goes on to the next version', members[1], next)
    await change('the first starts again as it was', members[0], undefined)
    const last = 'select name from kysely_migration order by name desc limit 1'
    expect(await ask(world.database.connection, last)).toEqual([{ name: NEXT }])
    await check(world)
  })

const whole = (from: string) =>
  test('from the version before to this one, to the next, and back', async () => {
    const [before, next] = [tree(versionOf(from)), tree(theNextVersion())]
    world = await aRollingWorld(before)
    const { load, members } = world
    await load.goesOn(TIMES)
    await change('the second goes on to this version', members[1], undefined)
    await change('the first goes on to this version', members[0], undefined)
    if (worksWithOurs(before))
      await change('the second goes back to the version before', members[1], before)
    else
      process.stdout.write(
        `the way back to before is refused: ${await members[1].refusedAs(before)}`,
      )
    await change('the second goes on to this version again', members[1], undefined)
    world.load.note('the upgrade is finished')
    process.stdout.write(`the upgrade is finished: ${await world.operate('upgrade', 'finish')}`)
    await load.goesOn(TIMES)
    process.stdout.write(`the way back to before is refused: ${await members[1].refusedAs(before)}`)
    for (const [to, root] of [
      ['the next version', next],
      ['this version, which is the way back', undefined],
    ] as const)
      for (const [n, member] of members.toReversed().entries())
        await change(`${n === 0 ? 'the second' : 'the first'} goes on to ${to}`, member, root)
    await check(world)
    const refused = load.works.filter(({ refusedMs }) => refusedMs > LONGEST_MS)
    expect(refused.map(({ name }) => name)).toEqual([])
  }, 1_200_000)

if (FROM === undefined) sample()
else whole(FROM)
