/** Brings any screen of the table onto a page: one browser for each person, used again and again. */
import { type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test'
import { answering, failing, holding, type Setting } from '../specification/setting.ts'
import { noteOverlays } from './faults/overlay-faults.ts'
import type { Screen } from './screen.ts'
import { openWorld, signInAgain, type World } from './world.ts'

export type Size = { width: number; height: number }

export type Stage = {
  world: World
  /** Opens the screen at this width and waits until nothing moves. Motion is for trials of it: its frames cost time. */
  show(screen: Screen, size: Size, how?: { hasMotion: boolean }): Promise<Page>
  /** The screen that is open, at another width. */
  resize(page: Page, size: Size): Promise<void>
  /** The theme of the page follows that of the system. */
  paint(page: Page, colorScheme: 'light' | 'dark'): Promise<void>
  close(): Promise<void>
}

/** Longer than the longest pause before a query is tried again. */
const RETRY_MS = 4100

export const openStage = async (setting: Setting, browser: Browser): Promise<Stage> => {
  const options: BrowserContextOptions = {
    ...{ baseURL: setting.product.url, bypassCSP: true, locale: 'en-US' },
    ...{ reducedMotion: 'reduce', colorScheme: 'light' },
  }
  const world = await openWorld(setting, browser, options)
  const pages = new Map<string, Promise<Page>>()
  const aPage = async ({ who, fails, holds, answers }: Screen): Promise<Page> => {
    const isFailing = fails !== undefined
    if (who !== 'visitor' && !isFailing) {
      const { page, context } = world[who]
      return watched(holds || answers ? await context.newPage() : page)
    }
    const context = await browser.newContext(options)
    // Failed queries are tried again after seconds that need not be waited for.
    if (isFailing) await context.clock.install()
    if (who !== 'visitor') await signInAgain(world, world[who], context)
    return watched(await context.newPage())
  }
  // Whose calls are touched has a page apart: the others get theirs as the server sends it.
  const pageFor = (screen: Screen): Promise<Page> => {
    const { who, fails, holds, answers } = screen
    const key = `${who} ${fails !== undefined} ${holds !== undefined || answers !== undefined}`
    const page = pages.get(key) ?? aPage(screen)
    pages.set(key, page)
    return page
  }
  return {
    world,
    show: async (screen, size, { hasMotion } = { hasMotion: false }) => {
      const page = await pageFor(screen)
      await page.emulateMedia({ reducedMotion: hasMotion ? 'no-preference' : 'reduce' })
      // First: a letter that no longer fills the page goes back in the history, which would end the way to another page.
      await leave(page)
      await page.setViewportSize(size)
      await bring(page, screen, world)
      await settle(page)
      return page
    },
    resize: async (page, size) => {
      await page.setViewportSize(size)
      await settle(page)
    },
    paint: async (page, colorScheme) => {
      await page.emulateMedia({ colorScheme })
      await settle(page)
    },
    close: async () => {
      const { member, newcomer, editor, user, holder, operator } = world
      const people = [member, newcomer, editor, user, holder, operator].map(({ page }) => page)
      const all = [...people, ...(await Promise.all(pages.values()))]
      await Promise.all([...new Set(all.map((page) => page.context()))].map((each) => each.close()))
    },
  }
}

const bring = async (page: Page, screen: Screen, world: World): Promise<void> => {
  const { path, fails = [], holds = [], answers = {}, steps, ready } = screen
  // A form with something in it asks before it goes.
  page.removeAllListeners('dialog')
  page.on('dialog', (asked) => void asked.accept().catch(() => undefined))
  for (const call of fails) {
    const [path = '', method = 'GET'] = call.split(' ', 2).reverse()
    onLeaving(page, await failing(page, method, path, { statusCode: 500 }))
  }
  for (const path of holds) {
    const release = await holding(page, path)
    onLeaving(page, async () => release())
  }
  for (const [call, answer] of Object.entries(answers)) {
    const [method = '', path = ''] = call.split(' ', 2)
    onLeaving(page, await answering(page, method, path, answer))
  }
  await page.goto(typeof path === 'string' ? path : path(world))
  await page.waitForFunction(isListening)
  await steps?.(page, world)
  const sign = typeof ready === 'string' ? page.getByText(ready) : ready(page, world)
  const shown = sign.filter({ visible: true }).first()
  if (fails.length === 0) return expect(shown).toBeVisible()
  await expect(async () => {
    await page.clock.fastForward(RETRY_MS)
    await expect(shown).toBeVisible({ timeout: 200 })
  }).toPass()
}

/** Runs in the page: the app has taken over what the server drew, which is deaf before. */
const isListening = (): boolean => {
  const drawn = [...document.querySelectorAll('#root a, #root button, #root input, #root h1')]
  const isAlive = (element: Element) => Object.keys(element).some((key) => /^__react/.test(key))
  return drawn.length > 0 && drawn.every(isAlive)
}

const undoing = new WeakMap<Page, (() => unknown)[]>()

const onLeaving = (page: Page, undo: () => unknown): void => {
  undoing.set(page, [...(undoing.get(page) ?? []), undo])
}

/** The same address again would keep what the page has noted beside it in the history. */
const leave = async (page: Page): Promise<void> => {
  const { origin } = new URL(page.url())
  await page.goto('about:blank')
  if (origin !== 'null') await forgetLetters(page, origin)
  for (const undo of undoing.get(page) ?? []) await undo()
  undoing.delete(page)
}

/** Fonts are there, and nothing has changed its place for two frames. */
const settle = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    await document.fonts.ready
    await Promise.allSettled(document.getAnimations().map((each) => endOf(each)))
    function endOf(animation: Animation): Promise<unknown> {
      const { iterations } = animation.effect?.getTiming() ?? {}
      return iterations === Number.POSITIVE_INFINITY ? Promise.resolve() : animation.finished
    }
    const frame = () => new Promise((done) => requestAnimationFrame(done))
    await frame()
    await frame()
  })

declare global {
  interface Window {
    /** The sum of layout shifts since the page was loaded. */
    shifted: number
  }
}

const watched = async (page: Page): Promise<Page> => {
  await noteOverlays(page)
  await page.addInitScript(() => {
    window.shifted = 0
    const add = (entry: PerformanceEntry) => {
      const shift = entry as PerformanceEntry & { value: number; hadRecentInput: boolean }
      if (!shift.hadRecentInput) window.shifted += shift.value
    }
    new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({
      ...{ type: 'layout-shift', buffered: true },
    })
  })
  return page
}

/** A letter that was begun would open again on the next screen. */
const forgetLetters = async (page: Page, origin: string): Promise<void> => {
  const tools = await page.context().newCDPSession(page)
  await tools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' })
  await tools.detach()
}
