import { expect, test } from 'vitest'
import type { Topic } from '#contract/subjects.ts'
import { holdNews, whenNewsGoOn } from './hold-news.ts'

test('news of what a verb changes waits until the last such verb has ended, and other news does not', () => {
  const heard: string[] = []
  const hear = (topic: Topic, text: string) => whenNewsGoOn(topic, () => heard.push(text))
  hear('mailboxes', 'before')
  const first = holdNews(['mailboxes', 'settings'])
  const second = holdNews(['addresses', 'domains'])
  hear('mailboxes', 'held')
  hear('domains', 'held by the second')
  hear('invoices', 'of nothing that changes')
  expect(heard).toEqual(['before', 'of nothing that changes'])
  first()
  expect(heard).toEqual(['before', 'of nothing that changes'])
  second()
  expect(heard).toEqual([
    ...['before', 'of nothing that changes'],
    ...['held by the second', 'held'],
  ])
})
