import { describe, expect, test } from 'vitest'
import { aClock } from '#test-world/clock.ts'
import {
  type AlertState,
  type Channel,
  claimed,
  dueNews,
  isOver,
  observed,
  refused,
  taken,
} from './alert-state.ts'

const AFTER_MINUTES = 5
const both: readonly Channel[] = ['url', 'relay']

/** An alert in the hands of a test: what is seen each minute, and what is due. */
const anAlert = () => {
  const clock = aClock()
  let state: AlertState | null = null
  return {
    clock,
    state: () => state,
    /** Looks each minute, for so long. */
    see: (sentence: string | null, minutes: number) => {
      for (let n = 0; n < minutes; n++) {
        state = observed(state, sentence, AFTER_MINUTES, clock.now())
        clock.advance({ minutes: 1 })
      }
      state = observed(state, sentence, AFTER_MINUTES, clock.now())
    },
    due: (channels = both) =>
      state === null
        ? []
        : dueNews(state, channels, clock.now()).map(({ channel, news }) => `${channel} ${news}`),
    /** Both take what is due, or those named. */
    take: (channels = both) => {
      if (state === null) return
      for (const { channel, news } of dueNews(state, channels, clock.now()))
        state = taken(state, channel, news, clock.now())
    },
    change: (change: (state: AlertState) => AlertState) => {
      if (state !== null) state = change(state)
    },
  }
}

test('begins after some minutes, is told once and once a day, and ends when it has been gone', () => {
  const alert = anAlert()
  alert.see('It burns.', 4)
  expect(alert.due()).toEqual([])
  alert.see('It burns.', 1)
  expect(alert.due()).toEqual(['url begun', 'relay begun'])
  alert.take()
  alert.see('It burns more.', 23 * 60)
  expect(alert.due()).toEqual([])
  expect(alert.state()).toMatchObject({
    sentence: 'It burns more.',
    since: new Date('2026-11-20T12:00:00Z'),
  })
  alert.see('It burns.', 60)
  expect(alert.due()).toEqual(['url begun', 'relay begun'])
  alert.take()
  expect(alert.due()).toEqual([])
  alert.see(null, 4)
  expect(alert.due()).toEqual([])
  alert.see(null, 1)
  expect(alert.due()).toEqual(['url ended', 'relay ended'])
  alert.take(['url'])
  expect(alert.due()).toEqual(['relay ended'])
  alert.take()
  expect(isOver(alert.state() as AlertState, both, alert.clock.now())).toBe(true)
})

test('what is short is forgotten, and what comes and goes is one trouble', () => {
  const alert = anAlert()
  alert.see('It burns.', 3)
  alert.see(null, 5)
  expect(alert.state()).toBeNull()
  for (let n = 0; n < 3; n++) {
    alert.see('It burns.', 1)
    alert.see(null, 1)
  }
  alert.see('It burns.', 0)
  expect(alert.due()).toEqual(['url begun', 'relay begun'])
})

test('what is not seen for a while and was not told yet begins anew', () => {
  const alert = anAlert()
  alert.see('It burns.', 4)
  alert.clock.advance({ hours: 3 })
  alert.see('It burns.', 0)
  expect(alert.state()).toMatchObject({ since: alert.clock.now(), begunAt: null })
})

test('an end is told to whom the beginning was told, and to nobody else', () => {
  const alert = anAlert()
  alert.see('It burns.', 5)
  alert.take(['url'])
  alert.see(null, 5)
  expect(alert.due()).toEqual(['url ended'])
  alert.take()
  expect(isOver(alert.state() as AlertState, both, alert.clock.now())).toBe(true)
})

test('a trouble that returns before its end was told is the same for who knows of it', () => {
  const alert = anAlert()
  alert.see('It burns.', 5)
  alert.take(['url'])
  alert.see(null, 5)
  alert.see('It burns.', 5)
  expect(alert.due()).toEqual(['relay begun'])
})

describe('a try', () => {
  test('is claimed for a minute, and a failed one waits longer each time', () => {
    const alert = anAlert()
    alert.see('It burns.', 5)
    alert.change((state) => claimed(state, 'url', alert.clock.now()))
    expect(alert.due()).toEqual(['relay begun'])
    alert.clock.advance({ seconds: 60 })
    expect(alert.due()).toEqual(['url begun', 'relay begun'])
    const waits: number[] = []
    for (let n = 0; n < 8; n++) {
      alert.change((state) => refused(state, 'url', alert.clock.now()))
      const next = new Date(alert.state()?.tellings.url?.nextTryAt ?? 0)
      waits.push((next.getTime() - alert.clock.now().getTime()) / 1000)
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900, 900])
    alert.take(['relay'])
    alert.clock.advance({ minutes: 15 })
    alert.take()
    expect(alert.state()?.tellings.url).toMatchObject({ told: 'begun', failures: 0 })
  })

  test('to tell an end is given up after three days', () => {
    const alert = anAlert()
    alert.see('It burns.', 5)
    alert.take()
    alert.see(null, 5)
    const over = () => isOver(alert.state() as AlertState, both, alert.clock.now())
    expect(over()).toBe(false)
    alert.clock.advance({ days: 3 })
    expect(over()).toBe(true)
  })
})
