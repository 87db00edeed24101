import { expect, test } from 'vitest'
import type { ErrorType } from '#contract/errors.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { formatMoment } from '#web/lib/format.ts'
import { brakeRefusal } from './brake-refusal.ts'

const roomAt = '2026-11-22T14:03:00.000Z'
const anError = (type: ErrorType, data: Record<string, unknown> = {}) =>
  new ApiError({ type, message: 'From the server.', statusCode: 409, path: '/x', data })

test('a limit is told in the time of the reader, and that nothing is lost', () => {
  const data = { kind: 'new-recipients', of: 'workspace', limit: 200, used: 200, asked: 3, fits: 0 }
  expect(brakeRefusal(anError('SENDING_LIMIT', { ...data, roomAt }))).toBe(
    `In 24 hours the mailboxes of this new workspace together may write to 200 new recipients, to whom they have never written before; 200 are used. This message has 3 of them: none fits now. There will be room for the whole message at ${formatMoment(roomAt)}. What you wrote is still here, and you can save it as a draft.`,
  )
})

test('what cannot be read is told as the server says it; other refusals are not about brakes', () => {
  expect(brakeRefusal(anError('SENDING_LIMIT'))).toMatch(/^From the server\. What you wrote/)
  expect(brakeRefusal(anError('MAILBOX_SENDING_STOPPED'))).toMatch(/^From the server\. What you/)
  expect(brakeRefusal(anError('STORAGE_FULL'))).toBeNull()
  expect(brakeRefusal(new Error('x'))).toBeNull()
})
