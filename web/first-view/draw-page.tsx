/** Runs in the server: draws a page as HTML from what its route's loaders ask for. Keeps nothing between two pages (decision 051). */
import { dehydrate, QueryClient } from '@tanstack/react-query'
import { renderToString } from 'react-dom/server'
import {
  createStaticHandler,
  createStaticRouter,
  matchRoutes,
  type StaticHandlerContext,
  StaticRouterProvider,
} from 'react-router'
import { type User, user as userShape, verifyAccess } from '#contract/auth.ts'
import type { Drawing, FirstView, ViewRequest } from '#contract/first-view.ts'
import { listWorkspaces } from '#contract/workspaces.ts'
import { addressOf } from '#web/lib/api/client.ts'
import { type Ask, type LoadPage, PageRequestContext } from '#web/lib/api/first-view.ts'
import { keyOf } from '#web/lib/api/use-api.ts'
import { titleAt as pageTitleAt } from '../page-titles.ts'
import { routes } from '../routes.tsx'

type AskApi = NonNullable<ViewRequest['ask']>

const handler = createStaticHandler(routes)

export const isPage: Drawing['isPage'] = (path) => {
  const last = matchRoutes(routes, path)?.at(-1)?.route.path
  return last !== undefined && last !== '*'
}

export const titleAt: Drawing['titleAt'] = pageTitleAt

export const drawPage: Drawing['drawPage'] = async ({ url, cookies, ask }) => {
  // Only the path is looked at; the origin makes it an address.
  const request = new Request(new URL(url, 'http://page.invalid'))
  const context = await handler.query(request)
  // A redirect: the browser will find its way.
  if (context instanceof Response) return null
  const queries = new QueryClient()
  const user = ask && (await load(context, queries, ask))
  if (user === undefined) return null
  const router = createStaticRouter(handler.dataRoutes, context)
  const drawn = renderToString(
    <PageRequestContext value={{ user, cookies, queries }}>
      <StaticRouterProvider router={router} context={context} hydrate={false} />
    </PageRequestContext>,
  )
  return {
    ...withStyleSheet(drawn),
    workspaceId: workspaceIn(queries),
    answers: user && { user, queries: dehydrate(queries) },
    notLoaded: notLoaded(queries),
  }
}

const askWith =
  (queries: QueryClient, askApi: AskApi): Ask =>
  (route, args) =>
    queries
      .fetchQuery({
        queryKey: keyOf(route, args),
        queryFn: () => askApi(addressOf(route, args)) as Promise<never>,
      })
      .catch(() => undefined)

/** @returns who asks for the page; undefined for a token that is not good. */
const load = async (
  { matches, location }: StaticHandlerContext,
  queries: QueryClient,
  askApi: AskApi,
): Promise<User | undefined> => {
  const query = new URLSearchParams(location.search)
  const ask = askWith(queries, askApi)
  const [user] = await Promise.all([
    askApi(addressOf(verifyAccess, {})).catch(() => undefined),
    ...matches.map(({ route, params }) => {
      const handle: { load?: LoadPage } | undefined = route.handle
      return handle?.load?.({ ask, query, params })
    }),
  ])
  return userShape.optional().parse(user)
}

/**
 * The policy allows no style attribute in HTML, and libraries set some too. Each becomes a rule of a style sheet, until the app
 * sets it by script. React writes a quote in text and in values as an entity, so this splits at nothing but attributes.
 */
const withStyleSheet = (drawn: string): Pick<FirstView, 'html' | 'styles'> => {
  const [start, ...rest] = drawn.split(' style="')
  const styles = new Set(rest.map((part) => part.slice(0, part.indexOf('"'))))
  const rules = [...styles].filter(isPlain).map((style) => `[data-style="${style}"]{${style}}`)
  return { html: [start, ...rest].join(' data-style="'), styles: rules.join('') }
}

/** Sizes and names of properties. Anything that could end a rule or a string waits for the app. */
const isPlain = (style: string): boolean => /^[\w\s:;.,%()#*+-]*$/.test(style)

const workspaceIn = (queries: QueryClient): string => {
  const workspaces = queries.getQueryData(keyOf(listWorkspaces, {})) as
    | { _id: string; isCurrent: boolean }[]
    | undefined
  if (workspaces === undefined || workspaces.length < 2) return ''
  return workspaces.find(({ isCurrent }) => isCurrent)?._id ?? ''
}

/** A query that is not enabled waits for something else; one that was refused was asked for. */
const notLoaded = (queries: QueryClient) =>
  queries
    .getQueryCache()
    .findAll({ predicate: ({ state, options }) => state.status === 'pending' && !isOff(options) })
    .map(({ queryKey }) => queryKey)

const isOff = (options: object): boolean => 'enabled' in options && options.enabled === false
