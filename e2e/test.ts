/**
 * What every story is written with. `SLOW_BROWSER=300`: every answer and every frame comes to the page up to so many milliseconds late, each by chance. What a
 * page or a story does not wait for shows itself so on a quiet computer too. `SLOW_CPU=6`: what takes the page a moment takes it six.
 */
import {
  type BrowserContext,
  expect,
  type Page,
  test as plain,
  type WebError,
} from '@playwright/test'
import { type Keeper, keep } from './kept-context.ts'

/** React draws a page anew that differs from what the server drew, and what was typed is gone (decision 051). */
const isAboutHydration = ({ message }: Error) =>
  /React error #4(?:18|2[1-5])\b|hydrat/i.test(message)

type ForWorker = { slowly: undefined; keeper: Keeper }

type ForStory = {
  hydrationErrors: Error[]
  /** For stories about what a browser fetches for the first time: nothing is in a cache. */
  freshContext: boolean
}

export const test = plain.extend<ForStory, ForWorker>({
  keeper: [({ browser }, use) => keep(browser, use), { scope: 'worker' }],
  freshContext: [false, { option: true }],
  context: async (
    {
      browser,
      keeper,
      freshContext,
      baseURL,
      viewport,
      hasTouch,
      locale,
      timezoneId,
      contextOptions,
    },
    use,
  ) => {
    if (!freshContext)
      return keeper({ baseURL, viewport, hasTouch, locale, timezoneId, contextOptions }, use)
    const context = await browser.newContext()
    await use(context)
    await context.close()
  },
  hydrationErrors: [
    async ({ browser }, use) => {
      const errors: Error[] = []
      const note = (web: WebError) => isAboutHydration(web.error()) && errors.push(web.error())
      const listen = (context: BrowserContext) => context.on('weberror', note)
      for (const context of browser.contexts()) listen(context)
      browser.on('context', listen)
      await use(errors)
      browser.off('context', listen)
      for (const context of browser.contexts()) context.off('weberror', note)
      expect(errors).toEqual([])
    },
    { auto: true },
  ],
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
