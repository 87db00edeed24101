/** What routes read and change, as the contract declares it, holds together. */
import { expect, test } from 'vitest'
import { isAbout, TOPICS } from '#contract/subjects.ts'
import { declaredRoutes, nameOf } from './declared-routes.ts'

const routes = await declaredRoutes()

test.each(TOPICS)(
  'an event about %s finds routes that show it and routes that change it',
  (topic) => {
    expect(routes.filter(({ reads = [] }) => isAbout(reads, topic))).not.toEqual([])
    expect(routes.filter(({ changes = [] }) => isAbout(changes, topic))).not.toEqual([])
  },
)

test('what a route changes is shown by another, or shows nowhere', () => {
  const read = new Set(routes.flatMap(({ reads = [] }) => reads))
  const unread = routes.filter(({ changes = [] }) => changes.some((each) => !read.has(each)))
  expect(unread.map(nameOf)).toEqual([])
})

test('every route has the name of its export, and no two the same', () => {
  expect(routes.length).toBeGreaterThan(200)
  expect(new Set(routes.map(({ name }) => name)).size).toBe(routes.length)
})
