/** Slow, refused, broken and cut: what every page and every form does then, and that nothing which was typed is lost. */
import type { Page } from '@playwright/test'
import { answeredWrites } from './failures/answered-writes.ts'
import { type Read, reads } from './failures/reads.ts'
import {
  answerAll,
  begin,
  closeToast,
  expectNoToast,
  expectTyped,
  pathOf,
  scopeOf,
} from './failures/steps.ts'
import { aWorld, shiftOf, type World, watchShifts, watchTries } from './failures/world.ts'
import { actions, forms, type Write } from './failures/writes.ts'
import { chosenFrom } from './sample.ts'
import { expect, expectToast, failing, holding, test } from './specification/setting.ts'

/** Longer than the longest pause before a query is tried again. */
const RETRY_MS = 4100

/** Answers are held back: the page shows, reacts to the user, and does not jump when the answer comes. */
const expectPatience = async (page: Page, read: Read, world: World): Promise<void> => {
  const release = await holding(page, read.call)
  await page.goto(pathOf(read, world))
  await expect(read.waits(page)).toBeVisible()
  await expect(read.shows(page, world)).toHaveCount(0)
  await expect(page.getByText(read.failed)).toHaveCount(0)
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.keyboard.press('Escape')
  release()
  await expect(read.shows(page, world)).toBeVisible()
  expect.soft(await shiftOf(page), `layout shift: ${read.failed}`).toBeLessThan(0.1)
}

/** Each failed read shows one error in its place with a working retry. */
const expectWayOn = async (page: Page, read: Read, world: World): Promise<void> => {
  const tries = watchTries(page)
  const again = page.getByRole('button', { name: 'Try again', exact: true })
  const expectTries = async (count: number, told: string) => {
    for (let n = 1; n <= count; n += 1) {
      await expect
        .poll(() => tries.filter((each) => each === told).length)
        .toBeGreaterThanOrEqual(n)
      if (n < count) await page.clock.fastForward(RETRY_MS)
    }
    await expect(page.getByText(read.failed)).toBeVisible()
    tries.length = 0
  }
  const expectSaid = async (message: string) => {
    if (!read.isSmall)
      await expect(page.getByRole('alert').filter({ hasText: message })).toBeVisible()
  }
  let mend = await failing(page, 'GET', read.call, { statusCode: 500, message: 'It broke' })
  await page.goto(pathOf(read, world))
  await expectTries(4, '500 INTERNAL')
  await expectToast(page, '❌ Error', 'It broke')
  await expectSaid('It broke')
  await closeToast(page)
  await mend()

  const refusal = { statusCode: 403, type: 'FORBIDDEN', message: 'Not for you' } as const
  mend = await failing(page, 'GET', read.call, refusal)
  await again.click()
  await expectTries(1, '403 FORBIDDEN')
  await expectToast(page, '❌ Error', 'Not for you')
  await expectSaid('Not for you')
  await closeToast(page)
  await mend()

  mend = await failing(page, 'GET', read.call, { statusCode: 429, type: 'TOO_MANY_REQUESTS' })
  await again.click()
  await expectTries(1, '429 TOO_MANY_REQUESTS')
  await expectSaid('Too many requests')
  await expectNoToast(page)
  await mend()

  await page.context().setOffline(true)
  await again.click()
  await expectTries(4, '500 NO_ANSWER')
  await expectToast(page, '❌ Error', 'Something went wrong')
  await expectSaid('Something went wrong')
  // Back by itself, without a reload and without a click.
  await page.context().setOffline(false)
  await expect(read.shows(page, world)).toBeVisible()
  await expect(page.getByText(read.failed)).toHaveCount(0)
}

for (const [name, read] of chosenFrom(reads, 'home', 'mailboxes')) {
  test(`${name}: slow, 500, 403, 429, no network, and back`, async ({ setting, person }) => {
    const { page } = person
    const world = await aWorld(setting, person)
    await watchShifts(page)
    await answerAll(page, read.answers)
    await expectPatience(page, read, world)
    await page.clock.install()
    await expectWayOn(page, read, world)
  })
}

/** After a refusal, an error or a lost connection the error shows, typed text stays, and the button works again. */
const expectKept = async (page: Page, write: Write, world: World): Promise<void> => {
  await begin(page, write, world)
  const scope = await scopeOf(page)
  const send = scope.getByRole('button', { name: write.button, exact: true })
  const [method, path] = write.call
  const cut = async () => {
    await page.context().setOffline(true)
    return () => page.context().setOffline(false)
  }
  const troubles: [message: string, begin: () => Promise<() => Promise<void>>][] = [
    ...(
      [
        [500, 'INTERNAL', 'It broke'],
        [403, 'FORBIDDEN', 'Not for you'],
        [429, 'TOO_MANY_REQUESTS', 'Too many requests'],
      ] as const
    ).map(([statusCode, type, message]): [string, () => Promise<() => Promise<void>>] => [
      message,
      () => failing(page, method, path, { statusCode, type, message }),
    ]),
    ['Something went wrong', cut],
  ]
  for (const [message, start] of troubles) {
    const end = await start()
    await send.click()
    if (write.isInForm) await expect(scope.getByRole('alert')).toHaveText(message)
    else {
      await expectToast(page, '❌ Error', message)
      await closeToast(page)
    }
    await expect(send).toBeEnabled()
    await expectTyped(page, write.typed(world))
    await end()
  }
  // The same button goes through once the trouble is over, with no reload, and sends once however often it is pressed.
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === method) sent.push(request.url())
  })
  const release = await holding(page, path)
  await send.dblclick()
  await expect.poll(() => sent.length).toBe(1)
  const going = scope.getByRole('button', { name: write.going ?? write.button, exact: true })
  await expect(going.and(page.locator(':disabled, [aria-disabled=true]'))).toHaveCount(1)
  expect(sent).toHaveLength(1)
  release()
}

for (const [name, write] of chosenFrom(
  { ...forms, ...actions, ...answeredWrites },
  'domain',
  'workspace',
))
  test(`${name}: 500, 403, 429 and no network lose nothing`, async ({ setting, person }) => {
    const world = await aWorld(setting, person)
    await expectKept(person.page, write, world)
  })
