/** A finger on the screen, as the browser gets it. */
import type { Locator, Page } from '@playwright/test'

export const holdDown = async (page: Page, target: Locator) => {
  const box = await target.boundingBox()
  if (!box) throw new Error('there is nothing to touch')
  const from = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const tools = await page.context().newCDPSession(page)
  const touch = (
    type: 'touchStart' | 'touchMove' | 'touchEnd',
    touchPoints: { x: number; y: number }[],
  ) => tools.send('Input.dispatchTouchEvent', { type, touchPoints })
  await touch('touchStart', [from])
  return {
    moveTo: (dx: number) => touch('touchMove', [{ x: from.x + dx, y: from.y }]),
    letGo: async () => {
      await touch('touchEnd', [])
      await tools.detach()
    },
  }
}

/** One finger across the middle of it, by so many pixels to the right. */
export const swipe = async (page: Page, target: Locator, dx: number): Promise<void> => {
  const finger = await holdDown(page, target)
  for (const part of [0.3, 0.6, 1]) await finger.moveTo(dx * part)
  await finger.letGo()
}
