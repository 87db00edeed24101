import { expect, test } from 'vitest'
import { openEvents } from './events.ts'
import { openLog, plainLine } from './log.ts'

type Events = { knocked: { who: string; at: string }; opened: { who: string[] } }

const anEventLog = (intervalMs: number) => {
  const lines: string[] = []
  const { log, flush } = openLog('info', {
    to: { write: (line) => void lines.push(line) },
  })
  const events = openEvents<Events>(log, { knocked: ['who'] }, { intervalMs, mostKeys: 3 })
  return {
    ...events,
    log,
    flushLog: flush,
    lines,
    told: () => lines.map((line) => JSON.parse(line)),
  }
}

test('a thousand alike are one line, and one more with their number', () => {
  const { logEvent, flush, told } = anEventLog(60_000)
  for (let n = 0; n < 1_000; n++) logEvent('knocked', { who: 'mallory', at: `door ${n}` })
  logEvent('knocked', { who: 'ada', at: 'door 1' })
  expect(told()).toHaveLength(2)
  flush()
  expect(told()).toMatchObject([
    { event: 'knocked', who: 'mallory', at: 'door 0' },
    { who: 'ada' },
    { who: 'mallory', at: 'door 999', times: 999 },
  ])
  expect(told()[1]).not.toHaveProperty('times')
})

test('those that come from everywhere are counted together', () => {
  const { logEvent, flush, told } = anEventLog(60_000)
  for (let n = 0; n < 500; n++) logEvent('knocked', { who: `network ${n}`, at: 'door' })
  flush()
  expect(told().length).toBeLessThan(8)
})

test('each interval that had more has its line, and a quiet one ends it', async () => {
  const { logEvent, told } = anEventLog(20)
  for (let n = 0; n < 3; n++) logEvent('knocked', { who: 'mallory', at: 'door' })
  await expect.poll(() => told().map(({ times }) => times)).toEqual([undefined, 2])
})

test('what strangers wrote cannot forge a line, colour a terminal or fill a disk', () => {
  const { logEvent, lines, told } = anEventLog(60_000)
  const forged = `x"\n{"event":"opened"}\r\u001b[2J\u2028\u202e who=ada`
  logEvent('knocked', { who: forged, at: 'a'.repeat(100_000) })
  logEvent('opened', { who: Array.from({ length: 1_000 }, (_, n) => `${n}\n`) })
  expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true)
  expect(lines.every((line) => line.length < 1_000)).toBe(true)
  expect(told()[0].who).toBe('x"?{"event":"opened"}?[2J? who=ada')
  expect(told()[1].who).toHaveLength(21)
  const plain = plainLine(lines[0] ?? '')
  expect(plain).not.toMatch(/\p{Cc}/u)
  expect(plain).toContain('knocked who="x\\"?{\\"event')
})

test('warnings alike are counted without their stacks; errors are told each time', () => {
  const { log, flushLog, told } = anEventLog(60_000)
  const broken = () => Object.assign(new Error('broke off'), { code: 'ECONNRESET' })
  for (let n = 0; n < 30; n++) log.warn({ err: broken() }, 'the peer is away')
  for (let n = 0; n < 2; n++) log.error({ err: broken() }, 'a fault')
  flushLog()
  const [first, ...others] = told()
  expect(first).toMatchObject({ msg: 'the peer is away', err: { code: 'ECONNRESET' } })
  expect(others.map(({ msg, times, err }) => [msg, times, err !== undefined])).toEqual([
    ['a fault', undefined, true],
    ['a fault', undefined, true],
    ['the peer is away', 29, false],
  ])
})
