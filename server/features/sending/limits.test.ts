import { describe, expect, test } from 'vitest'
import { findRoom, limitsAt, rampEndsAt, rampSteps } from './limits.ts'

const created = new Date('2026-11-20T12:00:00.000Z')
const hoursOld = (hours: number) => new Date(created.getTime() + hours * 3600_000)
const usual = { sendLimit: 500, newRecipientLimit: 100 }

describe('the limits of a workspace', () => {
  test.each([
    [0, 100, 20],
    [23.99, 100, 20],
    [24, 200, 40],
    [47.99, 200, 40],
    [48, 400, 80],
    [71.99, 400, 80],
    [72, 500, 100],
    [10_000, 500, 100],
    // A clock that was set back.
    [-5, 100, 20],
  ])('%d hours old: %d recipients, %d of them new', (hours, recipients, newRecipients) => {
    const { mailbox, together } = limitsAt(usual, created, hoursOld(hours))
    expect(mailbox).toEqual({ recipients, newRecipients })
    expect(together).toEqual(
      hours < 72 ? { recipients: 10 * recipients, newRecipients: 10 * newRecipients } : null,
    )
    expect(rampEndsAt(usual, created, hoursOld(hours))).toEqual(hours < 72 ? hoursOld(72) : null)
  })

  test('0 is no limit, of either kind, and small limits never begin at nothing', () => {
    const none = { recipients: null, newRecipients: null }
    const off = { sendLimit: 0, newRecipientLimit: 0 }
    expect(limitsAt(off, created, created)).toEqual({ mailbox: none, together: null })
    expect(rampEndsAt(off, created, created)).toBeNull()
    expect(limitsAt({ sendLimit: 0, newRecipientLimit: 3 }, created, created)).toEqual({
      mailbox: { recipients: null, newRecipients: 1 },
      together: { recipients: null, newRecipients: 10 },
    })
  })
})

describe('when there is room again', () => {
  const room = (
    asked: [number, number],
    sent: [hours: number, recipients: number, newRecipients: number, isOwn?: boolean][],
    now: number,
    settings = usual,
  ) =>
    findRoom({
      asked: { recipients: asked[0], newRecipients: asked[1] },
      sent: sent.map(([hours, recipients, newRecipients, isOwn = true]) => ({
        ...{ at: hoursOld(hours), recipients, newRecipients, isOwn },
      })),
      limitsAt: (at) => limitsAt(settings, created, at),
      steps: rampSteps(created, hoursOld(now)),
    })

  test.each<[string, ReturnType<typeof room>, number | null]>([
    [
      'when enough has left the window',
      room(
        [30, 0],
        [
          [100, 480, 0],
          [101, 10, 0],
        ],
        110,
      ),
      124,
    ],
    [
      'not at the first that leaves',
      room(
        [50, 0],
        [
          [100, 30, 0],
          [101, 470, 0],
        ],
        110,
      ),
      125,
    ],
    [
      'for new recipients alone',
      room(
        [30, 30],
        [
          [100, 30, 30],
          [103, 90, 90],
        ],
        110,
      ),
      127,
    ],
    ['when the limits grow', room([90, 10], [[20, 100, 10]], 21), 24],
    ['of both kinds at once', room([90, 30], [[20, 100, 20]], 21), 44],
    ['never for more than the whole limit', room([501, 0], [[100, 10, 0]], 110), null],
    ['also with nothing sent, when only the ramp is in the way', room([90, 60], [], 1), 48],
    [
      'when other mailboxes of a new workspace have used what they share',
      room(
        [1, 0],
        [
          [10, 900, 0, false],
          [11, 100, 0, false],
        ],
        12,
      ),
      24,
    ],
  ])('%s', (_, at, hours) => {
    expect(at).toEqual(hours === null ? null : hoursOld(hours))
  })
})
