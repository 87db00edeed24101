import { expect, test } from 'vitest'
import { type ErrorType, sentenceOf, statusOf } from '#contract/errors.ts'
import { ApiError, noAnswer } from '#web/lib/api/api-error.ts'
import { formatMoment } from '#web/lib/format.ts'
import {
  errorText,
  FileUploadError,
  fieldErrorsOf,
  isUncertain,
  limitText,
  passing,
  passingWhileSending,
  saveRetryText,
  sendRetryText,
} from './trouble.ts'

const error = (type: ErrorType, data: Record<string, unknown> = {}, retryAfter?: string) =>
  new ApiError(
    { type, message: sentenceOf(type), statusCode: statusOf(type), path: '/x', data },
    retryAfter,
  )

const limited = (seconds: number) => error('TOO_MANY_REQUESTS', {}, String(seconds))
const broken = error('INTERNAL', { requestId: 'req-7' })

test.each([
  ['no answer', noAnswer(), 'offline', 'offline'],
  ['a time-out', new DOMException('', 'TimeoutError'), 'offline', 'offline'],
  ['503', error('UNAVAILABLE', {}, '5'), 'busy', 'busy'],
  ['500', broken, 'busy', undefined],
  ['429', limited(40), 'limited', 'limited'],
  ['429 for an hour', limited(3600), 'limited', undefined],
  ['403', error('FORBIDDEN'), undefined, undefined],
  ['404', error('NOT_EXISTS'), undefined, undefined],
  ['413', error('PAYLOAD_TOO_LARGE'), undefined, undefined],
  ['422', error('VALIDATION', { to: 'No' }), undefined, undefined],
  ['a session that ran out', error('REFRESH'), undefined, undefined],
  ['a fault of ours', new TypeError('x is not a function'), undefined, undefined],
])('%s: what passes is tried again', (_name, thrown, whileSaving, whileSending) => {
  for (const each of [thrown, new FileUploadError('a.txt', thrown)]) {
    expect(passing(each)?.why).toBe(whileSaving)
    expect(passingWhileSending(each)?.why).toBe(whileSending)
  }
})

test('the wait is the one that was asked for, in seconds or until a date', () => {
  expect(passing(limited(40))?.afterSeconds).toBe(40)
  const inAMinute = new Date(Date.now() + 60_000).toUTCString()
  const { afterSeconds } = passing(error('UNAVAILABLE', {}, inAMinute)) ?? { afterSeconds: 0 }
  expect(afterSeconds).toBeGreaterThan(57)
  expect(afterSeconds).toBeLessThanOrEqual(60)
  for (const daft of ['soon', '-5', ''])
    expect(error('UNAVAILABLE', {}, daft)).toMatchObject({ retryAfterSeconds: 0 })
})

test('what broke in the middle may have been sent; what was refused was not', () => {
  for (const each of [noAnswer(), broken, error('UNAVAILABLE'), error('REFRESH')])
    expect(isUncertain(each)).toBe(true)
  for (const each of [error('FORBIDDEN'), error('VALIDATION'), limited(1), error('STORAGE_FULL')])
    expect(isUncertain(each)).toBe(false)
})

test.each([
  ['a field', error('VALIDATION', { 'to.1': 'Bad' }), { 'to.1': 'Bad' }],
  ['the text', error('VALIDATION', { html: 'Long' }), { body: 'Long' }],
  ['a file by its place', error('VALIDATION', { 'uploads.3': 'Gone' }), { attachments: 'Gone' }],
  [
    'too large as a whole',
    error('PAYLOAD_TOO_LARGE'),
    { body: 'This message is too long. Please shorten it, or attach the text as a file' },
  ],
  [
    'a file that is too large',
    new FileUploadError('a.mov', error('PAYLOAD_TOO_LARGE')),
    { attachments: 'a.mov: This file is too large' },
  ],
  [
    'a file without room',
    new FileUploadError('a.mov', error('STORAGE_FULL')),
    { attachments: 'a.mov: The storage of this workspace is full' },
  ],
  ['a file that waits', new FileUploadError('a.mov', noAnswer()), {}],
  ['the whole', error('FORBIDDEN'), {}],
])('%s is told where it belongs', (_name, thrown, told) => {
  expect(fieldErrorsOf(thrown)).toEqual(told)
})

test.each([
  [error('FORBIDDEN'), /You can no longer write from this mailbox\. What you wrote is still here/],
  [error('NOT_EXISTS'), /The mailbox no longer exists\. What you wrote is still here/],
  [error('STORAGE_FULL'), /storage of this workspace is full\. What you wrote is still here/],
  [broken, /went wrong on the server \(reference req-7\)\. What you wrote is still here/],
  [limited(0), /try again in a moment\.$/],
  [limited(1), /try again in a second\.$/],
  [limited(40), /try again in 40 seconds\.$/],
  [limited(600), /try again in 10 minutes\.$/],
  [error('MAILBOX_SUSPENDED'), /to resume it\. What you wrote is still here\.$/],
  [noAnswer(), /did not answer\. What you wrote is still here; please try again\.$/],
])('%s: words for a refusal say that nothing is lost', (thrown, words) => {
  expect(errorText(thrown)).toMatch(words)
})

test('while it waits it says why, and what becomes of the words', () => {
  expect(saveRetryText(noAnswer(), true)).toMatch(/^No connection\. .*kept in this browser/)
  expect(saveRetryText(broken, true)).toMatch(/^The server has a problem\. .*kept in this browser/)
  expect(saveRetryText(limited(40), false)).toMatch(
    /again in 40 seconds\. Please leave this window/,
  )
  expect(sendRetryText(limited(40))).toMatch(
    /again in 40 seconds\. It is sent as soon as possible, and only once/,
  )
})

const roomAt = '2026-11-22T14:03:00.000Z'
const anError = (type: ErrorType, data: Record<string, unknown> = {}) =>
  new ApiError({ type, message: 'From the server.', statusCode: 409, path: '/x', data })

test('a limit is told in the time of the reader, and that nothing is lost', () => {
  const data = { kind: 'new-recipients', of: 'workspace', limit: 200, used: 200, asked: 3, fits: 0 }
  expect(limitText(anError('SENDING_LIMIT', { ...data, roomAt }))).toBe(
    `In 24 hours the mailboxes of this new workspace together may write to 200 new recipients, to whom they have never written before; 200 are used. This message has 3 of them: none fits now. There will be room for the whole message at ${formatMoment(roomAt)}. What you wrote is still here, and you can save it as a draft.`,
  )
})

test('what cannot be read is told as the server says it; other refusals are not about brakes', () => {
  expect(limitText(anError('SENDING_LIMIT'))).toMatch(/^From the server\. What you wrote/)
  expect(limitText(anError('MAILBOX_SENDING_STOPPED'))).toMatch(/^From the server\. What you/)
  expect(limitText(anError('STORAGE_FULL'))).toBeNull()
  expect(limitText(new Error('x'))).toBeNull()
})
