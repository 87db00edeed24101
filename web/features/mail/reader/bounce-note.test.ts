import { expect, test } from 'vitest'
import type { Message } from '#contract/messages.ts'
import { undelivered } from './bounce-note.tsx'

const report = {
  ...{ n: 0, filename: 'delivery-report.txt', size: 300 },
  ...{ contentId: null, width: null, height: null },
}
const bounce = {
  subject: 'Not delivered to garce@elsewhere.example',
  authentication: null,
  inReplyTo: '<1@mail.example>',
  attachments: [{ ...report, contentType: 'message/delivery-status' }],
} as unknown as Message

test('a report of our own names whom the message did not reach', () => {
  expect(undelivered(bounce)).toBe('garce@elsewhere.example')
})

test.each([
  ['came from elsewhere', { authentication: { spf: 'pass', dkim: '', dmarc: '', arc: '' } }],
  ['answers nothing', { inReplyTo: null }],
  ['has no report', { attachments: [{ ...report, contentType: 'text/plain' }] }],
  ['has another subject', { subject: 'Not delivered to anybody' }],
])('what %s is none', (_what, other) => {
  expect(undelivered({ ...bounce, ...other })).toBeNull()
})
