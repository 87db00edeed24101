import { expect, test } from 'vitest'
import { placeAfter } from './use-place.ts'

const here = { mailbox: 'a', folder: 'junk', message: 'm', q: 'tea', only: '1' }

test('another mailbox starts at its Inbox, without a search', () => {
  expect(placeAfter(here, { mailbox: 'b' })).toEqual({
    mailbox: 'b',
    folder: '',
    message: '',
    q: '',
    only: '',
  })
})

test('another folder has no open message and no search', () => {
  expect(placeAfter(here, { folder: 'sent' })).toEqual({
    mailbox: 'a',
    folder: 'sent',
    message: '',
    q: '',
    only: '',
  })
})

test('the folder in which a search began ends the search, and closes no message without one', () => {
  expect(placeAfter(here, { folder: 'junk' })).toEqual({ ...here, message: '', q: '', only: '' })
  const found = { folder: 'junk', message: 'n' }
  expect(placeAfter(here, found)).toEqual({ ...here, message: 'n' })
  const reading = { ...here, q: '', only: '' }
  expect(placeAfter(reading, { folder: 'junk' })).toEqual(reading)
})

test('a message is opened within the search, and closed to it', () => {
  expect(placeAfter(here, { message: 'n' })).toEqual({ ...here, message: 'n' })
  expect(placeAfter(here, { message: '' })).toEqual({ ...here, message: '' })
})
