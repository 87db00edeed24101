/** npm run screenshots: a picture of every screen, light and dark, wide, on a tablet and on a phone. Arguments choose by a part of the name. */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { hashPassword } from '#server/features/accounts/passwords.ts'
import { systemClock } from '#server/lib/clock.ts'
import { visitStorage } from '#server/storage/open-storage.ts'
import { aProduct } from '#test-world/product.ts'
import { PASSWORD } from '#test-world/trials/account.ts'
import playwrightConfig from '../../playwright.config.ts'
import { allScreens } from './all-screens.ts'
import { openStage } from './stage.ts'

const FOLDER = '.test/screens'
const sizes = [
  { width: 1440, height: 900 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
]

const wanted = process.argv.slice(2)
const chosen = allScreens.filter(
  ({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
)
if (wanted.length === 0) rmSync(FOLDER, { recursive: true, force: true })
mkdirSync(FOLDER, { recursive: true })

await using undo = new AsyncDisposableStack()
const product = await aProduct()
undo.defer(() => product.close())
const silent = { onError: () => {} }
const storage = await visitStorage({ databaseUrl: null, dataDir: product.dataDir }, silent)
undo.defer(() => storage.close())
const passwordHash = await hashPassword(PASSWORD)
const setting = { product, db: storage.db, clock: systemClock, passwordHash }
const browser = await chromium.launch(playwrightConfig.use?.launchOptions ?? {})
undo.defer(() => browser.close())
const stage = await openStage(setting, browser)

for (const screen of chosen) {
  const name = screen.name.replaceAll(/[^a-z0-9]+/gi, '-')
  try {
    let page: Page | undefined
    for (const size of sizes) {
      // What is opened by other ways on a phone is opened anew.
      if (page && !screen.steps) await stage.resize(page, size)
      else page = await stage.show(screen, size)
      for (const colorScheme of ['light', 'dark'] as const) {
        await stage.paint(page, colorScheme)
        await page.screenshot({ path: join(FOLDER, `${name}-${size.width}-${colorScheme}.png`) })
      }
      await stage.paint(page, 'light')
    }
    console.log(screen.name)
  } catch (error) {
    process.exitCode = 1
    console.error(`${screen.name} could not be shown: ${error}`)
  }
}
console.log(`The pictures are in ${FOLDER}.`)
