import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { segmentBlobs } from '#server/storage/blobs/segment-blobs.ts'
import { withBrowsers } from '../browsers.ts'
import { aLivedInMailbox, EVERYWHERE, NEWEST, RARE_BODY, RARE_SUBJECT } from '../inbox-sample.ts'
import { peoplesMails, TEXT } from '../mails.ts'
import { aFolder, logIn, type Product, seed } from '../product.ts'
import { type Bench, type Measured, median } from '../row.ts'
import { anAdmin, EMAIL, PASSWORD } from '../sample.ts'
import { type Content, repeat, signIn, visit } from './pages.ts'

const RUNS = 9
/** Every other one of the 12 rows in view. */
const OPENINGS = 5
/** The shortest time that a user looks at a message, and at a list. */
const LOOK_MS = 400
const LIST_LOOK_MS = 1_000
/** The allowed ratio when there is ten times as much mail. */
const FLAT = 1.3
/** Below this, a difference is noise. */
const LEAST_MS = 10

const FIRST_ROW: Content = { selector: '[data-message] span[dir]', text: NEWEST }

type Times = Record<(typeof kinds)[number][0], number>
const kinds = [
  ['first row, cold', 250],
  ['first row, warm', 150],
  ['open a message', 60],
  ['open one at once, unread ahead', null],
  ['open the next one', 60],
  ['jump far', 50],
  ['search, a rare word of a subject', 60],
  ['search, a rare word of a text', 100],
  ['search, a word of every mail', 120],
] as const

/** The web mail with 50,000 and with 500,000 messages in the Inbox. */
export const inbox: Bench = {
  name: 'inbox',
  run: async () => {
    const { dataDir, remove } = aFolder()
    const boxes = { small: '', large: '' }
    await seed(dataDir, async (world) => {
      const admin = await anAdmin(world)
      const blobs = await storedMails(dataDir)
      for (const [name, count] of [
        ['small', 50_000],
        ['large', 500_000],
      ] as const)
        boxes[name] = (await aLivedInMailbox(world, admin, { name, count, blobs })).id
    })
    return withBrowsers(dataDir, async ({ product, browser, visitor }) => {
      await signIn(visitor, product)
      const small = await measure(browser, visitor, product, boxes.small)
      const large = await measure(browser, visitor, product, boxes.large)
      return kinds.flatMap(([what, budget]): Measured[] => [
        { what: `inbox of 50,000, ${what}`, value: small[what], unit: 'ms', budget },
        {
          what: `inbox of 500,000, ${what}`,
          value: large[what],
          unit: 'ms',
          budget: budget && Math.round(Math.max(small[what] * FLAT, LEAST_MS)),
        },
      ])
    }).finally(remove)
  },
}

const measure = async (
  browser: Browser,
  visitor: BrowserContext,
  product: Product,
  mailboxId: string,
): Promise<Times> => {
  const url = `${product.url}/dashboard/view-mail?mailbox=${mailboxId}`
  const signedIn = await browser.newContext()
  await signIn(signedIn, product)
  const cold: number[] = []
  for (let run = 0; run < RUNS; run++) {
    const context = await browser.newContext({ storageState: await signedIn.storageState() })
    cold.push(await visit(context, url, FIRST_ROW))
    // The refresh cookie was rotated during the visit: the next visit needs the new one.
    await signedIn.clearCookies()
    await signedIn.addCookies((await context.storageState()).cookies)
    await context.close()
  }
  const warm = await repeat(visitor, url, FIRST_ROW)
  const opened = await openings(visitor, url, (run) => 2 * run, { list: LIST_LOOK_MS, message: 0 })
  const openedAtOnce = await openings(visitor, url, (run) => 2 * run, { list: 0, message: 0 })
  const openedNext = await openings(visitor, url, (run) => run, { list: 0, message: LOOK_MS })
  const page = await openInbox(visitor, url)
  const jumped: number[] = []
  for (let run = 1; run <= RUNS; run++) jumped.push(await page.evaluate(jumpTo, run / (RUNS + 1)))
  await page.close()
  const token = await logIn(product.url, EMAIL, PASSWORD)
  const search = (q: string) => searchTime(product, token, mailboxId, q)
  return {
    'first row, cold': median(cold),
    'first row, warm': median(warm),
    'open a message': median(opened),
    'open one at once, unread ahead': median(openedAtOnce),
    'open the next one': median(openedNext),
    'jump far': median(jumped),
    'search, a rare word of a subject': await search(RARE_SUBJECT),
    'search, a rare word of a text': await search(RARE_BODY),
    'search, a word of every mail': await search(EVERYWHERE),
  }
}

export const storedMails = async (dataDir: string): Promise<string[]> => {
  const store = segmentBlobs(join(dataDir, 'blobs'))
  const blobs = await Promise.all(peoplesMails().map((mail) => store.put(mail)))
  await store.close()
  return blobs
}

export const openInbox = async (visitor: BrowserContext, url: string): Promise<Page> => {
  const page = await visitor.newPage()
  await page.goto(url)
  // Waits for hydration: the app fills in the times, which the server leaves empty.
  await page.locator('[data-message] time:not(:empty)').first().waitFor()
  return page
}

/** The rows are read ahead while the user looks at the list, and the neighbours of an open message while the user reads it. */
const openings = async (
  visitor: BrowserContext,
  url: string,
  rowOf: (run: number) => number,
  look: { list: number; message: number },
): Promise<number[]> => {
  const page = await openInbox(visitor, url)
  await page.waitForTimeout(look.list)
  const times: number[] = []
  for (let run = 0; run <= OPENINGS; run++) {
    await page.waitForTimeout(look.message)
    times.push(await page.evaluate(openRow, { at: rowOf(run), text: TEXT }))
  }
  await page.close()
  // Before the first one, no message was opened.
  return times.slice(1)
}

/** Runs in the page: measures from the click until the frame with the text is painted. */
export const openRow = ({ at, text }: { at: number; text: string }): Promise<number> =>
  new Promise((done) => {
    const row = document.querySelectorAll<HTMLElement>('a[data-message]')[at]
    if (!row) throw new Error(`there is no row ${at}`)
    const before = document.querySelector('article')?.ariaLabel
    const startedAt = performance.now()
    row.click()
    const look = () => {
      const article = document.querySelector('article')
      const frames = [...(article?.querySelectorAll('iframe') ?? [])]
      const texts = [article, ...frames.map((frame) => frame.contentDocument?.body)]
      const isThere = texts.some((part) => part?.textContent?.includes(text))
      if (!isThere || article?.ariaLabel === before) return requestAnimationFrame(look)
      return setTimeout(() => done(performance.now() - startedAt))
    }
    requestAnimationFrame(look)
  })

/** Runs in the page: measures from the scroll until the frame in which the middle of the list has its row. */
const jumpTo = (part: number): Promise<number> =>
  new Promise((done) => {
    const list = document.querySelector('section[aria-label=Messages] ul[aria-label=Inbox]')
    const scroller = list?.parentElement
    if (!scroller) throw new Error('there is no list')
    const startedAt = performance.now()
    scroller.scrollTop = scroller.scrollHeight * part
    const { left, top, height } = scroller.getBoundingClientRect()
    const look = () => {
      const shown = document.elementFromPoint(left + 60, top + height / 2)
      if (!shown?.closest('[data-row]')) return requestAnimationFrame(look)
      return setTimeout(() => done(performance.now() - startedAt))
    }
    requestAnimationFrame(look)
  })

/** Over the API: in the page, a search waits for a pause in typing. */
const searchTime = async (
  product: Product,
  token: string,
  mailboxId: string,
  q: string,
): Promise<number> => {
  const times: number[] = []
  for (let run = 0; run < RUNS + 2; run++) {
    const startedAt = performance.now()
    const response = await fetch(`${product.url}/api/v1/mailboxes/${mailboxId}/search?q=${q}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const { items } = (await response.json()) as { items: unknown[] }
    times.push(performance.now() - startedAt)
    if (items.length < 3) throw new Error(`'${q}' was found ${items.length} times`)
  }
  return median(times.slice(2))
}
