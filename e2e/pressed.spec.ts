/** What arrives while a pointer is pressed waits for its release, so that nothing moves under it. */
import type { Page } from '@playwright/test'
import { expect, opened, type Person, test } from './specification/setting.ts'

const added = async ({ call }: Person, name: string) => {
  const { status } = await call('POST', '/domains', { name })
  expect(status).toBe(201)
}
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

test('a row that moves down while it is pressed is taken all the same', async ({ person }) => {
  const { page } = person
  const word = crypto.randomUUID().slice(0, 8)
  await added(person, `m-${word}.example`)
  await page.clock.install()
  await opened(page, '/dashboard/domains?sort=name')
  const box = rowOf(page, `m-${word}`).getByRole('checkbox')
  await box.hover()
  const before = await box.boundingBox()
  // A press holds things up for half a second, and on a slow machine the answer takes longer.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000)
  await page.mouse.down()
  const heard = page.waitForResponse(/\/api\/v1\/domains(\?|$)/)
  await added(person, `a-${word}.example`)
  await (await heard).finished()
  await page.clock.runFor(100)
  await page.mouse.up()
  await page.clock.resume()
  await expect(rowOf(page, `a-${word}`)).toBeVisible()
  expect((await box.boundingBox())?.y).toBeGreaterThan(before?.y ?? 0)
  await expect(box).toBeChecked()
})

test('a press that is never released holds nothing up for long', async ({ person }) => {
  const { page } = person
  const word = crypto.randomUUID().slice(0, 8)
  await added(person, `m-${word}.example`)
  await opened(page, '/dashboard/domains')
  await rowOf(page, `m-${word}`).hover()
  await page.mouse.down()
  await added(person, `a-${word}.example`)
  await expect(rowOf(page, `a-${word}`)).toBeVisible()
  await page.mouse.up()
})
