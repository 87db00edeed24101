/**
 * Every screen in every state: axe finds nothing in the light and in the dark, everything fits, targets are large
 * enough, and nothing jumps. `npm test` tries a sample; `npm run screens` opens every screen at every width.
 */

import { expect, type Page } from '@playwright/test'
import { isWhole, sampleOf } from './sample.ts'
import { allScreens } from './screens/all-screens.ts'
import { axeFaults } from './screens/faults/axe-faults.ts'
import { targetFaults, widthFaults } from './screens/faults/width-faults.ts'
import type { Screen } from './screens/screen.ts'
import { openStage, type Size, type Stage } from './screens/stage.ts'
import { test as plainTest } from './specification/setting.ts'

const test = plainTest.extend<object, { stage: Stage }>({
  stage: [
    async ({ setting, browser }, use) => {
      const stage = await openStage(setting, browser)
      await use(stage)
      await stage.close()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

// There is one page for all of them: a trace of each screen would cost more than to open it again.
test.use({ trace: 'off', screenshot: 'off' })

const PHONE = { width: 390, height: 844 }
const WIDE = { width: 1440, height: 900 }
const BETWEEN = [
  { width: 1024, height: 900 },
  { width: 768, height: 900 },
]
const chosen = sampleOf(allScreens, 15)

for (const screen of chosen) {
  const isFull = screen.state === 'full'
  test(screen.name, async ({ stage }) => {
    const page = await stage.show(screen, WIDE)
    await expectNoShift(page, screen)
    await expectAllFits(page, WIDE)
    expect.soft(await axeFaults(page, 'all'), 'axe, light').toEqual([])
    await expectReadableInDark(stage, page)
    for (const size of isWhole ? BETWEEN : []) {
      await stage.resize(page, size)
      await expectAllFits(page, size)
    }
    if (!isFull && !isWhole) return
    // What is opened by other ways on a phone is opened anew.
    if (isWhole) await stage.show(screen, PHONE)
    else await stage.resize(page, PHONE)
    if (isWhole) await expectNoShift(page, screen)
    await expectAllFits(page, PHONE)
    if (isWhole) {
      expect.soft(await axeFaults(page, 'all'), 'axe, light, on a phone').toEqual([])
      await expectReadableInDark(stage, page)
    }
    // Last: it scrolls.
    expect.soft(await targetFaults(page), 'too small').toEqual([])
  })
}

const expectNoShift = async (page: Page, { state, steps }: Screen): Promise<void> => {
  if (state !== 'full' || steps) return
  const shifted = await page.evaluate(() => window.shifted)
  expect.soft(shifted, `layout shift at ${page.viewportSize()?.width} px`).toBeLessThan(0.1)
}

const expectAllFits = async (page: Page, { width }: Size): Promise<void> =>
  expect.soft(await widthFaults(page), `at ${width} px`).toEqual([])

const expectReadableInDark = async (stage: Stage, page: Page): Promise<void> => {
  await stage.paint(page, 'dark')
  expect.soft(await axeFaults(page, 'about colour'), 'axe, dark').toEqual([])
  await stage.paint(page, 'light')
}
