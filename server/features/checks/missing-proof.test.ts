import { expect, test } from 'vitest'
import {
  firstMissing,
  type MissingProof,
  nextStepAt,
  stillMissing,
} from '#server/features/ownership/missing-proof.ts'
import { secondsAfter } from '#server/lib/clock.ts'

const start = new Date('2026-11-20T12:00:00Z')
const day = (days: number) => secondsAfter(start, days * 86_400)

/** Looked at on these days; each finds no proof. */
const after = (...days: number[]): (MissingProof & { day: number })[] => {
  const steps = [{ ...firstMissing(start), day: 0 }]
  for (const at of days) {
    const last = steps.at(-1) as MissingProof
    const next = stillMissing(last, day(at))
    if (next === 'release') return [...steps, { ...last, step: 'released' as 'last-call', day: at }]
    steps.push({ ...next, day: at })
  }
  return steps
}
const changes = (...days: number[]) =>
  after(...days)
    .filter(({ step }, at, all) => at === 0 || all[at - 1]?.step !== step)
    .map(({ step, day }) => `${step} ${day}`)

const daily = Array.from({ length: 60 }, (_, at) => at + 1)

test('looked at daily, the steps come on day 1, 7, 30 and 37', () => {
  expect(changes(...daily)).toEqual([
    'noticed 0',
    'warned 1',
    'stopped 7',
    'last-call 30',
    'released 37',
  ])
})

test('what is announced comes when it was announced', () => {
  for (const step of after(...daily)) {
    expect(step.since).toEqual(start)
    if (step.day < 7) expect(step.stopsAt).toEqual(day(7))
    expect(step.releasesAt).toEqual(day(37))
  }
  expect(after(1).map(nextStepAt)).toEqual([day(1), day(7)])
})

test('the time in which nobody could look does not count', () => {
  // Away from day 1 to day 8: 7 days, of which 1.5 count.
  const blind = after(1, 8)
  expect(blind.at(-1)).toMatchObject({ step: 'warned', stopsAt: day(12.5), releasesAt: day(42.5) })
  expect(changes(1, 8, 9, 10, 11, 12, 13)).toEqual(['noticed 0', 'warned 1', 'stopped 13'])
})

test('no step is skipped, and each is announced long enough before it, however seldom somebody looks', () => {
  expect(changes(100, 200, 300, 400)).toEqual(['noticed 0', 'warned 100'])
  const often = daily.map((at) => 100 + at)
  expect(changes(100, ...often)).toEqual([
    'noticed 0',
    'warned 100',
    'stopped 106',
    'last-call 129',
    'released 136',
  ])
})
