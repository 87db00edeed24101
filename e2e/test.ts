/**
 * What every story is written with. `SLOW_BROWSER=300`: every answer and every frame comes to the page up to so many milliseconds late, each by chance. What a
 * page or a story does not wait for shows itself so on a quiet computer too. `SLOW_CPU=6`: what takes the page a moment takes it six.
 */
import { type Page, test as plain } from '@playwright/test'

export const test = plain.extend<object, { slowly: undefined }>({
  slowly: [
    async ({ browser }, use) => {
      const latestMs = Number(process.env.SLOW_BROWSER ?? 0)
      if (latestMs > 0)
        browser.on('context', (context) => void context.addInitScript(beLate, latestMs))
      const rate = Number(process.env.SLOW_CPU ?? 1)
      if (rate > 1)
        browser.on('context', (context) => context.on('page', (page) => void beSlow(page, rate)))
      await use(undefined)
    },
    { scope: 'worker', auto: true },
  ],
})

async function beSlow(page: Page, rate: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
}

/** Runs in the page. Before a story puts a clock of its own there, so that these times pass by themselves. */
function beLate(latestMs: number): void {
  const later = window.setTimeout.bind(window)
  const nextFrame = window.requestAnimationFrame.bind(window)
  const ask = window.fetch.bind(window)
  const pause = () => new Promise((resolve) => later(resolve, Math.random() * latestMs))
  window.requestAnimationFrame = (draw) =>
    nextFrame(() => later(() => nextFrame(draw), Math.random() * latestMs))
  window.fetch = async (...asked) => {
    await pause()
    const answer = await ask(...asked)
    await pause()
    return answer
  }
}
