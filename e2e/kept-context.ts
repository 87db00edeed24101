/**
 * One browser context for the stories of a worker, one after the other: the scripts of the app are in its cache, and compiled in its renderer, which costs
 * more than all that most stories do. Each story gets it without pages, cookies and stored data. A story that did to the context itself what outlives its
 * pages, such as a clock, leaves it to be closed.
 */
import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test'

type Options = { baseURL?: string | undefined } & Record<string, unknown>
export type Keeper = (
  options: Options,
  story: (context: BrowserContext) => Promise<void>,
) => Promise<void>

type Kept = {
  key: string
  context: BrowserContext
  /** Keeps the renderer alive between two stories. */
  anchor: Page
  tools: CDPSession
  origin: string
  isSpoilt(): boolean
}

export const keep = async (
  browser: Browser,
  use: (keeper: Keeper) => Promise<void>,
): Promise<void> => {
  let kept: Kept | null = null
  const end = async (): Promise<void> => {
    await kept?.context.close()
    kept = null
  }
  await use(async (options, story) => {
    const { baseURL } = options
    // A product of the story's own: not one context's caches for many stories.
    if (baseURL === undefined) {
      const context = await browser.newContext()
      await story(context)
      return context.close()
    }
    const key = JSON.stringify(options)
    if (kept?.key !== key || kept.isSpoilt()) await end()
    kept ??= await open(browser, key, baseURL)
    await story(kept.context)
    if (kept.isSpoilt()) return end()
    await clear(kept)
  })
  await end()
}

const open = async (browser: Browser, key: string, baseURL: string): Promise<Kept> => {
  const context = await browser.newContext()
  const anchor = await context.newPage()
  await anchor.goto('/favicon.svg')
  const spoilt = watchSpoiling(context)
  const isSpoilt = () => spoilt.size > 0 || anchor.isClosed()
  const tools = await context.newCDPSession(anchor)
  return { key, context, anchor, tools, origin: new URL(baseURL).origin, isSpoilt }
}

/** Names of what was called that holds for later pages too. */
const watchSpoiling = (context: BrowserContext): Set<string> => {
  const called = new Set<string>()
  const watch = <T extends object>(owner: T, names: readonly (keyof T & string)[]) => {
    for (const name of names) {
      const method = owner[name] as (...given: unknown[]) => unknown
      const noting = (...given: unknown[]) => {
        called.add(name)
        return method.apply(owner, given)
      }
      Object.assign(owner, { [name]: noting })
    }
  }
  watch(context, ['addInitScript', 'route', 'exposeBinding', 'exposeFunction'])
  watch(context, ['grantPermissions', 'setExtraHTTPHeaders', 'setGeolocation', 'setOffline'])
  watch(context.clock, ['install', 'pauseAt', 'setFixedTime', 'setSystemTime'])
  return called
}

const clear = async ({ context, anchor, tools, origin }: Kept): Promise<void> => {
  const pages = context.pages().filter((page) => page !== anchor)
  await Promise.all(pages.map((page) => page.close()))
  // The frames of a closed page end in the renderer a little later, and what they asked for may yet be answered with a cookie: a load waits for that.
  await anchor.reload()
  await context.clearCookies()
  const storageTypes = 'local_storage,indexeddb,cache_storage,service_workers'
  await tools.send('Storage.clearDataForOrigin', { origin, storageTypes })
}
