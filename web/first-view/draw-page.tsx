/** Runs in the server: draws a page as HTML from what is known. Reads no browser, and keeps nothing between two pages. */
import { renderToString } from 'react-dom/server'
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router'
import type { DrawPage, FirstView, ViewRequest } from '#contract/pages/first-view.ts'
import { addressOf } from '#web/lib/api/client.ts'
import { queryClient } from '#web/lib/api/query-client.ts'
import { sessionKnown, sessionUnknown } from '#web/lib/api/session.ts'
import { lendCookies } from '#web/lib/cookies.ts'
import { routes } from '../routes.tsx'
import { isAnswerKey, knowAnswers } from './known-answers.ts'

const handler = createStaticHandler(routes)

export const drawPage: DrawPage = async (request) => {
  // Only the path is looked at; the origin makes it an address.
  const context = await handler.query(new Request(new URL(request.url, 'http://page.invalid')))
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

const wantedQueries = (): FirstView['wanted'] =>
  queryClient
    .getQueryCache()
    .findAll({ predicate: ({ state }) => state.status === 'pending' })
    .flatMap(({ queryKey }) =>
      isAnswerKey(queryKey)
        ? [{ key: queryKey, address: addressOf({ path: queryKey[0] }, queryKey[1]) }]
        : [],
    )
