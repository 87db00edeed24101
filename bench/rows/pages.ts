import { readFileSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { aFolder, type Product, seed, startProduct } from '../product.ts'
import { type Bench, type Measured, median } from '../row.ts'
import { anAdmin, domains, EMAIL, PASSWORD } from '../sample.ts'

const DOMAINS = 500
const RUNS = 9

/** First content in Chromium: cold is a browser that has never been here, warm has the files in its cache. */
export const pages: Bench = {
  name: 'pages',
  run: async () => {
    const { dataDir, remove } = aFolder()
    await seed(dataDir, async (world) => {
      const { workspace } = await anAdmin(world)
      await domains(world, workspace, DOMAINS)
    })
    const product = await startProduct(dataDir)
    const browser = await chromium.launch({
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    })
    try {
      return await measure(browser, product)
    } finally {
      await browser.close()
      await product.stop()
      remove()
    }
  },
}

const measure = async (browser: Browser, product: Product): Promise<Measured[]> => {
  const login = `${product.url}/login`
  const list = `${product.url}/dashboard/domains`
  const signedIn = await signIn(browser, product)
  const isLogin = (page: Page) => page.getByRole('button', { name: 'Login' }).waitFor()
  const isList = (page: Page) => page.getByText('d499.example').first().waitFor()

  // The first visit of all warms the server, not the browser.
  await visit(await browser.newContext(), login, isLogin)
  const cold = { login: [] as number[], list: [] as number[] }
  for (let run = 0; run < RUNS; run++) {
    cold.login.push((await visit(await browser.newContext(), login, isLogin, true)).ms)
    const state = await signedIn.storageState()
    const context = await browser.newContext({ storageState: state })
    cold.list.push((await visit(context, list, isList)).ms)
    // The refresh cookie was rotated in that visit: the next one goes on from there.
    await signedIn.clearCookies()
    await signedIn.addCookies((await context.storageState()).cookies)
    await context.close()
  }
  const anonymous = await browser.newContext()
  const warmLogin = await repeat(anonymous, login, isLogin)
  const warmList = await repeat(signedIn, list, isList)
  const row = (what: string, value: number, budget: number): Measured => ({
    what,
    value,
    unit: 'ms',
    budget,
  })
  return [
    row('login, cold', median(cold.login), 200),
    row('login, warm', median(warmLogin.times), 90),
    row('domain list of 500, cold', median(cold.list), 280),
    row('domain list of 500, warm', median(warmList.times), 120),
    {
      what: 'JavaScript of /login, gzip',
      value: gzipKilobytes(warmLogin.scripts),
      unit: 'kB',
      budget: 150,
    },
    {
      what: 'JavaScript of a dashboard page, gzip',
      value: gzipKilobytes(warmList.scripts),
      unit: 'kB',
      budget: 250,
    },
  ]
}

const signIn = async (browser: Browser, product: Product): Promise<BrowserContext> => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${product.url}/login`)
  await page.getByLabel('Email').fill(EMAIL)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL('**/dashboard')
  await page.close()
  return context
}

type Visit = { ms: number; scripts: string[] }

/** Milliseconds from the start of the navigation until the content is there. */
const visit = async (
  context: BrowserContext,
  url: string,
  isThere: (page: Page) => Promise<void>,
  isLast = false,
): Promise<Visit> => {
  const page = await context.newPage()
  await page.goto(url, { waitUntil: 'commit' })
  await isThere(page)
  const seen = await page.evaluate(() => ({
    ms: performance.now(),
    scripts: performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name).pathname)
      .filter((path) => path.endsWith('.js')),
  }))
  await page.close()
  if (isLast) await context.close()
  return seen
}

const repeat = async (
  context: BrowserContext,
  url: string,
  isThere: (page: Page) => Promise<void>,
): Promise<{ times: number[]; scripts: string[] }> => {
  await visit(context, url, isThere)
  const times: number[] = []
  let scripts: string[] = []
  for (let run = 0; run < RUNS; run++) {
    const seen = await visit(context, url, isThere)
    times.push(seen.ms)
    scripts = seen.scripts
  }
  return { times, scripts }
}

const gzipKilobytes = (scripts: string[]): number =>
  [...new Set(scripts)].reduce(
    (sum, path) => sum + readFileSync(`.build/web${path}.gz`).byteLength,
    0,
  ) / 1000
