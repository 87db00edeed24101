/**
 * Runs in the server: draws a page as HTML from what is known. Reads no browser, and keeps nothing between two pages
 * (decision 012).
 */
import { renderToString } from 'react-dom/server'
import {
  createStaticHandler,
  createStaticRouter,
  matchRoutes,
  StaticRouterProvider,
} from 'react-router'
import type {
  Answer,
  AskAhead,
  DrawPage,
  FirstView,
  IsPage,
  ViewRequest,
  Wanted,
} from '#contract/first-view.ts'
import type { Asks } from '#web/lib/api/asks.ts'
import { addressOf } from '#web/lib/api/client.ts'
import { queryClient } from '#web/lib/api/query-client.ts'
import { sessionKnown, sessionUnknown } from '#web/lib/api/session.ts'
import { lendCookies } from '#web/lib/cookies.ts'
import { routes } from '../routes.tsx'
import { isAnswerKey, knowAnswers } from './known-answers.ts'

const handler = createStaticHandler(routes)
// Only the path is looked at; the origin makes it an address.
const addressIn = (url: string): URL => new URL(url, 'http://page.invalid')

export const askAhead: AskAhead = async (url) => {
  const { pathname, searchParams } = addressIn(url)
  const found = await Promise.all(
    (matchRoutes(routes, pathname) ?? []).map(async ({ route: { lazy }, params }) => {
      const loaded = typeof lazy === 'function' ? await lazy() : {}
      const { asks }: { asks?: Asks } = loaded.handle ?? {}
      return asks?.(searchParams, params) ?? []
    }),
  )
  return found.flat().map(wantedOf)
}

const wantedOf = (key: Answer['key']): Wanted[number] => {
  const [path, args] = key
  return { key, address: addressOf({ path }, args) }
}

export const isPage: IsPage = (path) => {
  const last = matchRoutes(routes, path)?.at(-1)?.route.path
  return last !== undefined && last !== '*'
}

export const drawPage: DrawPage = async (request) => {
  const context = await handler.query(new Request(addressIn(request.url)))
  // A redirect: the browser will find its way.
  if (context instanceof Response) return { html: '', wanted: [] }
  const router = createStaticRouter(handler.dataRoutes, context)
  return withKnown(request, () =>
    renderToString(<StaticRouterProvider router={router} context={context} hydrate={false} />),
  )
}

/** The stores of the app are of one browser; here they are lent to one page after the other, never across an await. */
const withKnown = ({ known, cookies }: ViewRequest, draw: () => string): FirstView => {
  try {
    lendCookies(cookies)
    if (known) {
      sessionKnown(known.user)
      knowAnswers(known.answers)
    }
    return { html: draw(), wanted: wantedQueries() }
  } finally {
    sessionUnknown()
    queryClient.clear()
    lendCookies('')
  }
}

/** What is still to be known. A query that is not enabled waits for something else. */
const wantedQueries = (): Wanted =>
  queryClient
    .getQueryCache()
    .findAll({ predicate: ({ state, options }) => state.status === 'pending' && !isOff(options) })
    .map(({ queryKey }) => queryKey)
    .filter(isAnswerKey)
    .map(wantedOf)

const isOff = (options: object): boolean => 'enabled' in options && options.enabled === false
