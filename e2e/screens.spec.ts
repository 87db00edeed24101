/**
 * Every screen in every state: axe finds nothing in the light and in the dark, everything fits, targets are large
 * enough, and nothing jumps. `npm test` tries a sample; SCREENS=all opens every screen at every width.
 */

import { expect } from '@playwright/test'
import { allScreens } from './screens/all-screens.ts'
import { axeFaults } from './screens/faults/axe-faults.ts'
import { targetFaults, widthFaults } from './screens/faults/width-faults.ts'
import { openStage, type Stage } from './screens/stage.ts'
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

const PHONE = 390
const WIDE = 1440
const isWhole = process.env.SCREENS === 'all'

for (const screen of allScreens) {
  const isFull = screen.state === 'full'
  test(screen.name, async ({ stage }) => {
    const widths = isWhole ? [WIDE, 1024, 768, PHONE] : isFull ? [WIDE, PHONE] : [WIDE]
    for (const width of widths) {
      const page = await stage.show(screen, { width, height: width === PHONE ? 844 : 900 })
      if (isFull && !screen.steps) {
        const shifted = await page.evaluate(() => window.shifted)
        expect.soft(shifted, `layout shift at ${width} px`).toBeLessThan(0.1)
      }
      expect.soft(await widthFaults(page), `at ${width} px`).toEqual([])
      if (width === WIDE || isWhole) {
        expect.soft(await axeFaults(page, 'all'), `axe, light, at ${width} px`).toEqual([])
        if (!isFull && !isWhole) continue
        await stage.paint(page, 'dark')
        expect.soft(await axeFaults(page, 'about colour'), `axe, dark, ${width} px`).toEqual([])
        await stage.paint(page, 'light')
      }
      // Last: it scrolls.
      if (width === PHONE) expect.soft(await targetFaults(page), 'too small').toEqual([])
    }
  })
}
