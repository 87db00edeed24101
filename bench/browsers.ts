/** A running product, a browser for cold visits, and a visitor with a profile on disk, as users have. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { browserOptions } from '#test-world/browser-options.ts'
import { type Product, startProduct } from './product.ts'

export type Visited = { product: Product; browser: Browser; visitor: BrowserContext }

/** Ends all of them when `use` has ended. */
export const withBrowsers = async <T>(
  dataDir: string,
  use: (visited: Visited) => Promise<T>,
): Promise<T> => {
  const product = await startProduct(dataDir)
  const browser = await chromium.launch(browserOptions())
  const profile = mkdtempSync(join(tmpdir(), 'mailstead-bench-profile-'))
  const visitor = await chromium.launchPersistentContext(profile, browserOptions())
  try {
    return await use({ product, browser, visitor })
  } finally {
    await visitor.close()
    await browser.close()
    await product.stop()
    rmSync(profile, { recursive: true, force: true })
  }
}
