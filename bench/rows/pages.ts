import { existsSync, statSync } from 'node:fs'
import type { BrowserContext } from 'playwright-core'
import { type Visited, withBrowsers } from '../browsers.ts'
import { aFolder, type Product, seed } from '../product.ts'
import { type Bench, type Measured, median } from '../row.ts'
import { anAdmin, domains, EMAIL, PASSWORD } from '../sample.ts'

const DOMAINS = 500
const RUNS = 9

/** The awaited content: an element with exactly this text. */
export type Content = { selector: string; text: string }
const LOGIN: Content = { selector: 'button', text: 'Login' }
const LIST: Content = { selector: 'td a', text: 'd499.example' }

/**
 * First content in Chromium. Cold: a new browser. Warm: a browser with a profile on disk, as users have: it keeps the files and,
 * from the third visit on, their compiled code.
 */
export const pages: Bench = {
  name: 'pages',
  run: async () => {
    const { dataDir, remove } = aFolder()
    await seed(dataDir, async (world) => {
      const { workspace } = await anAdmin(world)
      await domains(world, workspace, DOMAINS)
    })
    return withBrowsers(dataDir, measure).finally(remove)
  },
}

const measure = async ({ browser, visitor, product }: Visited): Promise<Measured[]> => {
  const login = `${product.url}/login`
  const list = `${product.url}/dashboard/domains`

  // The very first visit warms the server, not the browser.
  await visit(await browser.newContext(), login, LOGIN, true)
  const signedIn = await browser.newContext()
  await signIn(signedIn, product)
  const cold = { login: [] as number[], list: [] as number[] }
  for (let run = 0; run < RUNS; run++) {
    cold.login.push(await visit(await browser.newContext(), login, LOGIN, true))
    const state = await signedIn.storageState()
    const context = await browser.newContext({ storageState: state })
    cold.list.push(await visit(context, list, LIST))
    // The refresh cookie was rotated during the visit: the next visit needs the new one.
    await signedIn.clearCookies()
    await signedIn.addCookies((await context.storageState()).cookies)
    await context.close()
  }
  const warmLogin = await repeat(visitor, login, LOGIN)
  const loginScripts = await scriptsOf(visitor, login)
  await signIn(visitor, product)
  const warmList = await repeat(visitor, list, LIST)
  const listScripts = await scriptsOf(visitor, list)
  const row = (what: string, value: number, budget: number): Measured => ({
    what,
    value,
    unit: 'ms',
    budget,
  })
  return [
    row('login, cold', median(cold.login), 200),
    row('login, warm', median(warmLogin), 90),
    row('domain list of 500, cold', median(cold.list), 280),
    row('domain list of 500, warm', median(warmList), 120),
    {
      what: 'JavaScript of /login, gzip',
      value: gzipKilobytes(loginScripts),
      unit: 'kB',
      budget: 150,
    },
    {
      what: 'JavaScript of a dashboard page, gzip',
      value: gzipKilobytes(listScripts),
      unit: 'kB',
      budget: 250,
    },
  ]
}

export const signIn = async (context: BrowserContext, product: Product): Promise<void> => {
  const page = await context.newPage()
  await page.goto(`${product.url}/login`)
  await page.getByLabel('Email').fill(EMAIL)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL('**/dashboard')
  await page.close()
}

/** The prefix of the page's console message; the milliseconds follow. */
const SHOWN = 'content shown at '

/**
 * Runs in the page: logs when the frame that first shows the content is painted, by the clock of the page. Checks once per frame,
 * when layout happens anyway: checking at every change would force many layouts.
 */
const logWhenShown = ({ selector, text, say }: Content & { say: string }): void => {
  const isShown = (element: Element) =>
    element.textContent?.trim() === text &&
    element.checkVisibility() &&
    element.getBoundingClientRect().height > 0
  const look = () => {
    if (![...document.querySelectorAll(selector)].some(isShown)) return requestAnimationFrame(look)
    // The first task after the callbacks of a frame runs when that frame is painted.
    return setTimeout(() => console.log(say + performance.now()))
  }
  requestAnimationFrame(look)
}

/**
 * Milliseconds from the start of the navigation until the content is visible. Playwright does not inspect the page before: it
 * would run 330 kB of script there, which took a third of the measured time.
 */
export const visit = async (
  context: BrowserContext,
  url: string,
  content: Content,
  isLast = false,
): Promise<number> => {
  const page = await context.newPage()
  await page.addInitScript(logWhenShown, { ...content, say: SHOWN })
  const shown = page.waitForEvent('console', (message) => message.text().startsWith(SHOWN))
  await page.goto(url, { waitUntil: 'commit' })
  const ms = Number((await shown).text().slice(SHOWN.length))
  await page.close()
  if (isLast) await context.close()
  return ms
}

export const repeat = async (
  context: BrowserContext,
  url: string,
  content: Content,
): Promise<number[]> => {
  for (let before = 0; before < 3; before++) await visit(context, url, content)
  const times: number[] = []
  for (let run = 0; run < RUNS; run++) times.push(await visit(context, url, content))
  return times
}

/** The paths of everything that is fetched until hydration has ended. */
const scriptsOf = async (context: BrowserContext, url: string): Promise<string[]> => {
  const page = await context.newPage()
  await page.goto(url)
  await page.waitForFunction(isTakenOver)
  const scripts = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name).pathname)
      .filter((path) => path.endsWith('.js')),
  )
  await page.close()
  return scripts
}

/** Runs in the page: React marks elements with listeners. */
const isTakenOver = (): boolean =>
  [...document.querySelectorAll('#root button')].some((button) =>
    Object.keys(button).some((key) => key.startsWith('__react')),
  )

/** As the scripts travel: the smallest have no compressed twin, because it would be no smaller. */
const gzipKilobytes = (scripts: string[]): number =>
  [...new Set(scripts)].reduce((sum, path) => {
    const file = `.build/web${path}`
    return sum + statSync(existsSync(`${file}.gz`) ? `${file}.gz` : file).size
  }, 0) / 1000
