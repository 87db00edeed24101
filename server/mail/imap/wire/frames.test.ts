import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type FrameEvent, FrameReader } from './frames.ts'

const limits = { lineBytes: 200, admits: ({ bytes }: { bytes: number }) => bytes <= 50 }

const eventsOf = (pieces: readonly Buffer[]): FrameEvent[] => {
  const reader = new FrameReader(limits)
  const events: FrameEvent[] = []
  for (const piece of pieces) {
    reader.push(piece)
    for (let event = reader.next(); event !== null; event = reader.next()) events.push(event)
  }
  return events
}
const eventsIn = (text: string) => eventsOf([Buffer.from(text, 'latin1')])
const command = (text: string, ...literals: string[]) => ({
  ...{ kind: 'command', frame: { text, literals: literals.map((each) => Buffer.from(each)) } },
})

test('commands in one packet, with literals of both kinds', () => {
  expect(eventsIn('a NOOP\r\nb LOGIN {3}\r\nada {6+}\r\nsecret\r\nc NOOP\n')).toEqual([
    command('a NOOP'),
    { kind: 'continue' },
    command('b LOGIN \0 \0', 'ada', 'secret'),
    command('c NOOP'),
  ])
})

test('a literal may have line ends, NULs and announcements in it', () => {
  expect(eventsIn('a APPEND x {12+}\r\n\r\n{3}\r\n\0 b\r\n\r\nb\r\n')).toEqual([
    command('a APPEND x \0', '\r\n{3}\r\n\0 b\r\n'),
    command('b'),
  ])
})

describe('what is too much', () => {
  test('a literal that the client announces and waits with is refused at once', () => {
    expect(eventsIn('a LOGIN {51}\r\nb NOOP\r\n')).toEqual([
      { kind: 'refused', text: 'a LOGIN ', why: 'literal-too-large' },
      command('b NOOP'),
    ])
  })

  test('one that it does not wait with is read past, to the end of its command', () => {
    const text = `a LOGIN {1000+}\r\n${'x\r\n'.repeat(333)}x {4+}\r\nwxyz tail\r\nb NOOP\r\n`
    expect(eventsIn(text)).toEqual([
      { kind: 'refused', text: 'a LOGIN ', why: 'literal-too-large' },
      command('b NOOP'),
    ])
  })

  test('a line, also with a literal behind it', () => {
    const long = 'y'.repeat(500)
    expect(
      eventsIn(`a ${long}\r\nb ${long} {20+}\r\n0123\r\n6789\r\n2345678 t\r\nc NOOP\r\n`),
    ).toEqual([
      { kind: 'refused', text: expect.stringMatching(/^a y/), why: 'line-too-long' },
      { kind: 'refused', text: expect.stringMatching(/^b y/), why: 'line-too-long' },
      command('c NOOP'),
    ])
  })

  test('nothing of it is kept', () => {
    const reader = new FrameReader(limits)
    for (let n = 0; n < 10_000; n++) {
      reader.push(Buffer.alloc(1_000, 'z'))
      expect(reader.next()).toBeNull()
      expect(reader.waitingBytes).toBeLessThan(2_000)
    }
  })
})

test('a NUL outside a literal is no command', () => {
  expect(eventsIn('a NO\0OP\r\nb NOOP\r\n')).toEqual([
    { kind: 'refused', text: expect.any(String), why: 'no-text' },
    command('b NOOP'),
  ])
})

test('lines that are no commands, and what comes behind them in the same packet', () => {
  const reader = new FrameReader(limits)
  reader.push(Buffer.from('DONE\r\na NOOP\r\n'))
  expect(reader.nextLine()).toBe('DONE')
  expect(reader.next()).toEqual(command('a NOOP'))
  expect(reader.nextLine()).toBeNull()
  reader.push(Buffer.from(`${'q'.repeat(400)}\r\n`))
  expect(reader.nextLine()).toBeUndefined()
})

test('what was read before TLS is forgotten', () => {
  const reader = new FrameReader(limits)
  reader.push(Buffer.from('a STARTTLS\r\nb LOGIN x y\r\n'))
  expect(reader.next()).toEqual(command('a STARTTLS'))
  reader.clear()
  expect(reader.next()).toBeNull()
})

test('any division of the bytes gives the same', () => {
  const word = fc.constantFrom(
    ...['a NOOP', '{3}', '{3+}', '{60+}', '{60}', 'abc', '\r\n', '\n', '"', ' ', 'x'.repeat(90)],
    ...['~{2+}', '\0', '{0+}', 'DONE', '(', ')'],
  )
  fc.assert(
    fc.property(fc.array(word, { maxLength: 40 }), fc.array(fc.nat(30)), (words, cuts) => {
      const bytes = Buffer.from(words.join(''), 'latin1')
      const pieces: Buffer[] = []
      let at = 0
      for (const cut of cuts) {
        pieces.push(bytes.subarray(at, at + cut))
        at += cut
      }
      pieces.push(bytes.subarray(at))
      const single = Array.from({ length: bytes.length }, (_, n) => bytes.subarray(n, n + 1))
      const whole = eventsOf([bytes])
      expect(eventsOf(pieces).map(plain)).toEqual(whole.map(plain))
      expect(eventsOf(single).map(plain)).toEqual(whole.map(plain))
    }),
    { numRuns: 2_000, seed: 4 },
  )
})

/** Of a refused command only the beginning is told, which may be cut elsewhere. */
const plain = (event: FrameEvent) =>
  event.kind === 'refused' ? { ...event, text: event.text.slice(0, 1) } : event
