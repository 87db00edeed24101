import { afterAll, beforeAll, expect, test } from 'vitest'
import { anApp, type TestApp } from '#test-world/app.ts'
import { type AlertState, claimed, dueNews, observed } from './alert-state.ts'
import { alertMemory, alertTable } from './alerts-store.ts'

let app: TestApp
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())

test.each([
  ['the table', () => alertTable(app.db)],
  ['the memory', alertMemory],
])('%s lets one of many that come at once begin an alert, and one tell it', async (_, open) => {
  const store = open()
  const now = app.clock.now()
  const many = Array.from({ length: 8 })
  let begun = 0
  await Promise.all(
    many.map(async () => {
      let before: AlertState | null = null
      await store.change('disk', (state) => {
        before = state
        return observed(state, 'It is full.', 0, now)
      })
      if (before === null) begun += 1
    }),
  )
  expect(begun).toBe(1)
  const told: string[] = []
  await Promise.all(
    many.map(async () => {
      let due: string[] = []
      await store.change('disk', (state) => {
        due = state === null ? [] : dueNews(state, ['url'], now).map(({ news }) => news)
        return state === null || due.length === 0 ? state : claimed(state, 'url', now)
      })
      told.push(...due)
    }),
  )
  expect(told).toEqual(['begun'])
  expect([...(await store.read())]).toEqual([
    [
      'disk',
      {
        ...{ since: now, heldAt: now, begunAt: now, endedAt: null, sentence: 'It is full.' },
        tellings: {
          url: {
            ...{ told: null, toldAt: null, failures: 0 },
            nextTryAt: new Date(now.getTime() + 60_000).toISOString(),
          },
        },
      },
    ],
  ])
  await store.change('disk', () => null)
  expect((await store.read()).size).toBe(0)
})
