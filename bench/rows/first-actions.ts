import type { Browser, BrowserContext } from 'playwright-core'
import { visitStorage } from '#server/storage/open-storage.ts'
import { aDomain, aMailbox, letRead } from '#test-world/builders.ts'
import { withBrowsers } from '../browsers.ts'
import { aLivedInMailbox, NEWEST, RARE_SUBJECT } from '../inbox-sample.ts'
import { TEXT } from '../mails.ts'
import { aFolder, type Product, seed } from '../product.ts'
import { type Bench, type Measured, median } from '../row.ts'
import { anAdmin } from '../sample.ts'
import { openInbox, openRow, storedMails } from './inbox.ts'
import { type Content, repeat, signIn, visit } from './pages.ts'

const RUNS = 9
const MAILS = 50_000
const MAILBOXES = 1_000
const LOOK_MS = 1_000
/** The first row has a letter with a file, the second one a newsletter. */
const HTML_ROW = 1
const FIRST_ROW: Content = { selector: '[data-message] span[dir]', text: NEWEST }

/** What a person does first with an Inbox of mails as people have them, on a page that was just opened. */
export const firstActions: Bench = {
  name: 'first actions',
  run: async () => {
    const { dataDir, remove } = aFolder()
    let admin: Awaited<ReturnType<typeof anAdmin>> | undefined
    let mailbox = ''
    await seed(dataDir, async (world) => {
      admin = await anAdmin(world)
      const blobs = await storedMails(dataDir)
      mailbox = (await aLivedInMailbox(world, admin, { name: 'first', count: MAILS, blobs })).id
    })
    return withBrowsers(dataDir, async ({ product, browser, visitor }) => {
      await signIn(visitor, product)
      const url = `${product.url}/dashboard/view-mail?mailbox=${mailbox}`
      const rows = await measure(browser, visitor, product, url)
      if (admin) await addMailboxes(product, admin)
      const plain = rows.plainMs
      const many = median(await repeat(visitor, url, FIRST_ROW))
      return [
        ...rows.measured,
        row('first row, 1,000 mailboxes in the workspace, warm', many, 1.2 * plain),
      ]
    }).finally(remove)
  },
}

const row = (what: string, value: number, budget: number): Measured => ({
  ...{ what, value, budget, unit: 'ms' },
})

const measure = async (
  browser: Browser,
  visitor: BrowserContext,
  product: Product,
  url: string,
): Promise<{ measured: Measured[]; plainMs: number }> => {
  const plainMs = median(await repeat(visitor, url, FIRST_ROW))
  const returned: number[] = []
  for (let run = 0; run < RUNS; run++) {
    await visitor.clearCookies({ name: '_access_token' })
    returned.push(await visit(visitor, url, FIRST_ROW))
    await renewed(visitor, url)
  }
  const warm: number[] = []
  for (let run = 0; run < RUNS; run++) warm.push(await pressAtFirstPaint(visitor, url))
  const cold: number[] = []
  const signedIn = await browser.newContext()
  await signIn(signedIn, product)
  for (let run = 0; run < RUNS; run++) {
    const context = await browser.newContext({ storageState: await signedIn.storageState() })
    cold.push(await pressAtFirstPaint(context, url))
    await signedIn.clearCookies()
    await signedIn.addCookies((await context.storageState()).cookies)
    await context.close()
  }
  const html: number[] = []
  for (let run = 0; run < RUNS; run++) html.push(await firstHtmlMail(visitor, url))
  const typed: number[] = []
  const entered: number[] = []
  for (let run = 0; run < RUNS; run++) {
    typed.push(await search(visitor, url, false))
    entered.push(await search(visitor, url, true))
  }
  return {
    plainMs,
    measured: [
      row('first row, warm', plainMs, 150),
      row('first row, the access token has run out, warm', median(returned), plainMs + 80),
      row('click at first paint until the mail is read, cold', median(cold), 400),
      row('click at first paint until the mail is read, warm', median(warm), 300),
      row('first HTML mail after a look of a second', median(html), 120),
      row('search on screen, from the last key', median(typed), 200),
      row('search on screen, from Enter', median(entered), 100),
    ],
  }
}

/** Until the session is renewed, which a page that is closed at once leaves halfway. */
const renewed = async (context: BrowserContext, url: string): Promise<void> => {
  const page = await openInbox(context, url)
  const hasToken = async () =>
    (await context.cookies()).some(({ name }) => name === '_access_token')
  while (!(await hasToken())) await page.waitForTimeout(50)
  await page.close()
}

const READ = 'read after '

/** Runs in the page, from its start: presses the first row as soon as it is painted, and logs when the frame with its text is. */
const pressWhenPainted = ({ text, say }: { text: string; say: string }): void => {
  let startedAt: number | null = null
  const look = () => {
    const first = document.querySelector<HTMLElement>('a[data-message]')
    const article = document.querySelector('article')
    const frames = [...(article?.querySelectorAll('iframe') ?? [])]
    const texts = [article, ...frames.map((frame) => frame.contentDocument?.body)]
    if (startedAt !== null && texts.some((part) => part?.textContent?.includes(text))) {
      const since = startedAt
      setTimeout(() => console.log(say + (performance.now() - since)))
      return
    }
    if (startedAt === null && first?.checkVisibility()) {
      startedAt = performance.now()
      setTimeout(() => first.click())
    }
    requestAnimationFrame(look)
  }
  // A frame has no rows of its own.
  if (window.top === window) requestAnimationFrame(look)
}

const pressAtFirstPaint = async (context: BrowserContext, url: string): Promise<number> => {
  const page = await context.newPage()
  await page.addInitScript(pressWhenPainted, { text: TEXT, say: READ })
  const read = page.waitForEvent('console', (message) => message.text().startsWith(READ))
  await page.goto(url, { waitUntil: 'commit' })
  const ms = Number((await read).text().slice(READ.length))
  await page.close()
  return ms
}

const firstHtmlMail = async (context: BrowserContext, url: string): Promise<number> => {
  const page = await openInbox(context, url)
  await page.waitForTimeout(LOOK_MS)
  const ms = await page.evaluate(openRow, { at: HTML_ROW, text: TEXT })
  if ((await page.locator('article iframe').count()) === 0)
    throw new Error('the mail that was opened is no HTML')
  await page.close()
  return ms
}

/** Runs in the page: waits for the key, then for the frame in which all rows have the word. */
const foundAfter = ({ key, word }: { key: string; word: string }): Promise<number> =>
  new Promise((done) => {
    let startedAt = 0
    addEventListener(
      'keydown',
      (event) => {
        if (event.key === key) startedAt = performance.now()
      },
      true,
    )
    const look = () => {
      const rows = [...document.querySelectorAll('a[data-message]')]
      const isFound =
        startedAt > 0 && rows.length > 0 && rows.every((each) => each.textContent?.includes(word))
      if (!isFound) return requestAnimationFrame(look)
      return setTimeout(() => done(performance.now() - startedAt))
    }
    requestAnimationFrame(look)
  })

const search = async (
  context: BrowserContext,
  url: string,
  isEntered: boolean,
): Promise<number> => {
  const page = await openInbox(context, url)
  await page.waitForTimeout(LOOK_MS)
  await page.getByPlaceholder('Search mail').focus()
  const last = RARE_SUBJECT.at(-1) ?? ''
  const found = page.evaluate(foundAfter, { key: isEntered ? 'Enter' : last, word: RARE_SUBJECT })
  await page.keyboard.type(RARE_SUBJECT, { delay: 20 })
  if (isEntered) await page.keyboard.press('Enter')
  const ms = await found
  await page.close()
  return ms
}

const addMailboxes = async (
  { dataDir }: Product,
  { user, workspace }: Awaited<ReturnType<typeof anAdmin>>,
): Promise<void> => {
  const { db, close } = await visitStorage({ databaseUrl: null, dataDir }, { onError: () => {} })
  try {
    const world = { db, clock: { now: () => new Date() } }
    const domain = await aDomain(world, { workspaceId: workspace.id, name: 'many.example' })
    for (let n = 0; n < MAILBOXES; n++)
      await letRead(world, await aMailbox(world, { domain, localPart: `box${n}` }), user.id)
  } finally {
    await close()
  }
}
