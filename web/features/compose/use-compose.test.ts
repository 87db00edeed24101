import { expect, test } from 'vitest'
import { forgotAttachment } from './use-compose.ts'

const signature = '<p></p><p>Attachments are never opened here.</p>'
const written = (body: string, attachments: unknown[] = []) => ({ body, subject: '', attachments })

test('a text that speaks of an attachment without one is noticed; a signature is none', () => {
  const forgot = (body: string, files?: unknown[]) =>
    forgotAttachment(written(body, files), { body: signature })
  expect(forgot(`<p>The plan is <b>attached</b>.</p>${signature}`)).toBe(true)
  expect(forgot('<p>Please see the attachment</p>')).toBe(true)
  expect(forgot('<p>attached</p>', [{}])).toBe(false)
  expect(forgot(`<p>Hello</p>${signature}`)).toBe(false)
  expect(forgot('<p>Unattached people</p>')).toBe(false)
  expect(forgotAttachment({ ...written('<p>x</p>'), subject: 'Plan attached' }, { body: '' })).toBe(
    true,
  )
})
