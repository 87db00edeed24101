/**
 * Answers requests of a page in the server's place. Unlike `page.route`, it asks the browser for these addresses alone: a page with a route has no HTTP cache
 * and compiles every script anew.
 */
import type { Page } from '@playwright/test'

export type GivenAnswer = {
  status?: number
  headers?: Record<string, string>
  json?: unknown
  body?: string
}

/** In place of an answer: the line is cut. */
export const CUT = 'cut'

type Given = GivenAnswer | typeof CUT | null

type Interception = {
  /** A whole address, where `*` is any part between two slashes and `**` is anything. */
  glob: string
  method?: string | undefined
  /** true: only what stands in the address bar. */
  isDocument?: boolean
  /** null: left to the interceptions before this one, and then to the server. */
  answer(url: string): Promise<Given> | Given
}

type Asked = { requestId: string; request: { url: string; method: string }; resourceType: string }
type Watch = { begun: Interception[]; change(): Promise<void> }

const watches = new WeakMap<Page, Promise<Watch>>()

/** From now on; the newest is asked first. Returns what ends it. */
export const intercept = async (page: Page, begun: Interception): Promise<() => Promise<void>> => {
  const opening = watches.get(page) ?? watch(page)
  watches.set(page, opening)
  const all = await opening
  all.begun.unshift(begun)
  await all.change()
  return async () => {
    all.begun = all.begun.filter((each) => each !== begun)
    if (!page.isClosed()) await all.change()
  }
}

const watch = async (page: Page): Promise<Watch> => {
  const tools = await page.context().newCDPSession(page)
  const watched: Watch = {
    begun: [],
    change: async () => {
      // Without patterns it would be asked for everything.
      if (watched.begun.length === 0) await tools.send('Fetch.disable')
      else await tools.send('Fetch.enable', { patterns: watched.begun.map(patternOf) })
    },
  }
  const settle = async ({ requestId, request, resourceType }: Asked): Promise<void> => {
    for (const each of [...watched.begun]) {
      if (!isMeant(each, request, resourceType)) continue
      const given = await each.answer(request.url)
      if (given === null) continue
      if (given !== CUT) await tools.send('Fetch.fulfillRequest', written(requestId, given))
      else await tools.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionRefused' })
      return
    }
    await tools.send('Fetch.continueRequest', { requestId })
  }
  // A page that is left or closed meanwhile waits for no answer.
  tools.on('Fetch.requestPaused', (asked) => void settle(asked).catch(() => undefined))
  return watched
}

/** A `*` of the browser is anything, so what it stops is matched again. */
const patternOf = ({ glob, isDocument }: Interception) => ({
  urlPattern: glob.replaceAll('**', '*').replaceAll('?', '\\?'),
  ...(isDocument ? { resourceType: 'Document' as const } : {}),
})

const isMeant = (
  { glob, method, isDocument = false }: Interception,
  asked: Asked['request'],
  resourceType: string,
): boolean => {
  const parts = glob.split('**').map((part) => part.split('*').map(RegExp.escape).join('[^/]*'))
  const isAddress = new RegExp(`^${parts.join('.*')}$`).test(asked.url)
  const isMethod = method === undefined || method === asked.method
  return isAddress && isMethod && (!isDocument || resourceType === 'Document')
}

const written = (requestId: string, { status = 200, headers = {}, json, body }: GivenAnswer) => ({
  requestId,
  responseCode: status,
  responseHeaders: Object.entries({
    ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  }).map(([name, value]) => ({ name, value })),
  body: Buffer.from(body ?? JSON.stringify(json) ?? '').toString('base64'),
})
