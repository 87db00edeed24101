import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computingMsOf } from '#test-world/processor-time.ts'
import { invitationIn, replyTo } from './invitation.ts'
import { recurrenceWords } from './recurrence-words.ts'

const berlin = [
  'BEGIN:VTIMEZONE',
  'TZID:Here',
  ...rule('DAYLIGHT', 3, '+0200', '02'),
  ...rule('STANDARD', 10, '+0100', '03'),
  'END:VTIMEZONE',
]
function rule(kind: string, month: number, offset: string, hour: string): string[] {
  return [
    ...[`BEGIN:${kind}`, `DTSTART:19700329T${hour}0000`, `TZOFFSETTO:${offset}`],
    ...[`RRULE:FREQ=YEARLY;BYMONTH=${month};BYDAY=-1SU`, `END:${kind}`],
  ]
}
const calendar = (lines: string[], method = 'REQUEST', zones: string[] = []): string =>
  [
    ...[
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      `METHOD:${method}`,
      ...zones,
      'BEGIN:VEVENT',
      'UID:a@x.example',
    ],
    ...['SUMMARY:Budget\\, part 2', ...lines, 'END:VEVENT', 'END:VCALENDAR', ''],
  ].join('\r\n')

test('an invitation as programs write it', () => {
  const text = calendar([
    ...['DTSTART;TZID=Europe/Berlin:20260715T140000', 'DTEND;TZID=Europe/Berlin:20260715T150000'],
    ...['LOCATION:Room 4\\; second floor', 'SEQUENCE:2', 'RRULE:FREQ=WEEKLY;BYDAY=WE;COUNT=10'],
    ...['ORGANIZER;CN="Grace; Hopper":mailto:Grace@navy.example', 'DESCRIPTION:One\\nTwo'],
    ...[
      'ATTENDEE;PARTSTAT=ACCEPTED;CN=Eve:mailto:eve@x.example',
      'ATTENDEE;ROLE=REQ-PARTICIPANT;RSVP=TRU',
      ' E:mailto:ada@x.example',
    ],
  ])
  expect(invitationIn(text)).toEqual({
    ...{ uid: 'a@x.example', isCancelled: false, sequence: 2, title: 'Budget, part 2' },
    ...{ place: 'Room 4; second floor', description: 'One\nTwo' },
    start: { at: '2026-07-15T12:00:00.000Z', kind: 'moment', zone: 'Europe/Berlin' },
    end: { at: '2026-07-15T13:00:00.000Z', kind: 'moment', zone: 'Europe/Berlin' },
    recurrence: 'Every week on Wednesday, 10 times',
    organizer: { name: 'Grace; Hopper', address: 'grace@navy.example' },
    guests: [
      { name: 'Eve', address: 'eve@x.example', status: 'accepted' },
      { name: '', address: 'ada@x.example', status: 'none' },
    ],
    guestCount: 2,
  })
})

test.each<[string, string[], object]>([
  ['DTSTART:20260115T140000Z', [], { at: '2026-01-15T14:00:00.000Z', kind: 'moment', zone: null }],
  ['DTSTART;VALUE=DATE:20260115', [], { at: '2026-01-15', kind: 'day', zone: null }],
  ['DTSTART:20260115T140000', [], { at: '2026-01-15T14:00:00.000Z', kind: 'floating', zone: null }],
  [
    'DTSTART;TZID=W. Europe Standard Time:20260115T140000',
    [],
    { at: '2026-01-15T13:00:00.000Z', kind: 'moment', zone: 'Europe/Berlin' },
  ],
  [
    'DTSTART;TZID="/x.org/1/America/New_York":20260115T140000',
    [],
    { at: '2026-01-15T19:00:00.000Z', kind: 'moment', zone: 'America/New_York' },
  ],
  // A zone of the calendar's own, in summer, in winter and in the week around the change.
  [
    'DTSTART;TZID=Here:20260715T140000',
    berlin,
    { at: '2026-07-15T12:00:00.000Z', kind: 'moment', zone: null },
  ],
  [
    'DTSTART;TZID=Here:20260115T140000',
    berlin,
    { at: '2026-01-15T13:00:00.000Z', kind: 'moment', zone: null },
  ],
  [
    'DTSTART;TZID=Here:20260330T140000',
    berlin,
    { at: '2026-03-30T12:00:00.000Z', kind: 'moment', zone: null },
  ],
  [
    'DTSTART;TZID=Nowhere:20260715T140000',
    [],
    { at: '2026-07-15T14:00:00.000Z', kind: 'floating', zone: null },
  ],
])('%s is that moment', (line, zones, start) => {
  expect(invitationIn(calendar([line], 'REQUEST', zones))?.start).toEqual(start)
})

test('a cancellation says so; an answer, a publication and a broken time are no invitations', () => {
  const line = 'DTSTART:20260115T140000Z'
  expect(invitationIn(calendar([line], 'CANCEL'))?.isCancelled).toBe(true)
  expect(invitationIn(calendar([line, 'STATUS:CANCELLED']))?.isCancelled).toBe(true)
  for (const method of ['REPLY', 'PUBLISH', ''])
    expect(invitationIn(calendar([line], method))).toBeNull()
  for (const broken of [
    'DTSTART:20260231T140000Z',
    'DTSTART:soon',
    'X:1',
    'DTSTART:20260115T250000Z',
  ])
    expect(invitationIn(calendar([broken]))).toBeNull()
  expect(invitationIn('')).toBeNull()
})

test.each([
  ['FREQ=DAILY', 'Every day'],
  ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR', 'Every 2 weeks on Monday and Friday'],
  [
    'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;UNTIL=20261231T000000Z',
    'Every week from Monday to Friday, until 2026-12-31',
  ],
  ['FREQ=MONTHLY;BYDAY=-1FR', 'Every month on the last Friday'],
  ['FREQ=MONTHLY;BYMONTHDAY=1,15', 'Every month on day 1 and 15'],
  ['FREQ=MONTHLY;BYSETPOS=2;BYDAY=MO', 'Repeats'],
  ['nonsense', 'Repeats'],
])('%s is %s', (given, words) => {
  expect(recurrenceWords(given)).toBe(words)
})

test('the answer names the event as it came, in lines that fit', () => {
  const text = calendar(
    [
      ...[
        'DTSTART;TZID=Here:20260715T140000',
        'SEQUENCE:3',
        `ORGANIZER;CN="Grace, Hopper":mailto:grace@navy.example`,
      ],
      `X-SECRET:${'y'.repeat(300)}`,
    ],
    'REQUEST',
    berlin,
  )
  const guest = { name: 'Ada "the" Lovelace', address: 'ada@x.example' }
  const reply =
    replyTo(text, { answer: 'tentative', guest, at: new Date('2026-01-02T03:04:05Z') }) ?? ''
  for (const line of reply.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  const whole = reply.replaceAll('\r\n ', '')
  for (const line of [
    ...['METHOD:REPLY', 'UID:a@x.example', 'SEQUENCE:3', 'DTSTAMP:20260102T030405Z'],
    ...[
      'DTSTART;TZID=Here:20260715T140000',
      'ORGANIZER;CN="Grace, Hopper":mailto:grace@navy.example',
    ],
    'ATTENDEE;PARTSTAT=TENTATIVE;CN="Ada the Lovelace":mailto:ada@x.example',
  ])
    expect(whole.split('\r\n')).toContain(line)
  expect(whole).not.toContain('X-SECRET')
  expect(whole).toContain('BEGIN:VTIMEZONE')
})

test('an answer copies no line that is long for its name, and no more of it', () => {
  const answer = { answer: 'accepted' as const, guest: { name: '', address: 'ada@x.example' } }
  const long = 'x'.repeat(400_000)
  for (const line of [`SUMMARY:${long}`, `ORGANIZER;CN=${long}:mailto:grace@navy.example`]) {
    const text = calendar(['DTSTART:20260115T140000Z', line])
    const reply = replyTo(text, { ...answer, at: new Date(0) })
    expect(reply).toContain('UID:a@x.example')
    expect(reply?.length).toBeLessThan(1_000)
  }
  const many = Array.from({ length: 60_000 }, (_, n) => `;K${n}=`).join('')
  expect(
    invitationIn(calendar(['DTSTART:20260115T140000Z', `ATTENDEE${many}:mailto:a@b.example`])),
  ).toMatchObject({ guestCount: 0 })
})

test('a hostile calendar is read in bounded time, and never throws', async () => {
  const ms = await computingMsOf(() => {
    for (const line of [
      'BEGIN:X\n',
      'ATTENDEE:mailto:a@b.example\n',
      ';A="',
      'A;B=C',
      '\n ',
      'END:VCALENDAR\n',
    ])
      invitationIn(
        `${calendar(['DTSTART:20260115T140000Z']).split('END:VEVENT')[0]}${line.repeat(200_000)}`,
      )
  })
  expect(ms).toBeLessThan(5_000)
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(fc.string(), fc.constantFrom('DTSTART;TZID=Here:20260715T140000', ...berlin)),
      ),
      (lines) => {
        const text = calendar(lines, 'REQUEST', lines)
        invitationIn(text)
        replyTo(text, {
          answer: 'accepted',
          guest: { name: '', address: 'a@x.example' },
          at: new Date(0),
        })
      },
    ),
  )
})
