/**
 * Draws the first view of a page, so that users see it before any script has run. For members it calls the API routes in-process.
 * On any error the page has no view, and the web app draws it (decision 051).
 */

import { existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Drawing, FirstAnswers, FirstView } from '#contract/first-view.ts'
import { API_PREFIX } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import { accessForPage } from '#server/features/accounts/refresh-session.ts'
import { readAccessToken } from '#server/features/accounts/session-tokens.ts'
import { networkOf } from '#server/features/limits/throttle.ts'
import { openFairTurns, openLevels, openTurns, TooManyWaiting } from '#server/lib/turns/turns.ts'
import { accessTokenOf, hasSession, pageTokenOf } from '../exchange/cookies.ts'
import { pathOf } from '../exchange/errors.ts'
import { ipOf } from '../exchange/session.ts'
import type { AnnouncedChanges } from '../live/announced-changes.ts'

const DRAWING = fileURLToPath(new URL('../../../.build/pages/draw-page.js', import.meta.url))

export type DrawnView = Omit<FirstView, 'answers'> & { answers: FirstAnswers | null }
export type DrawView = (request: FastifyRequest) => Promise<DrawnView | null>

/** `/dashboard/../login`: browsers send it resolved; a client that does not gets no view. */
const hasDots = /\/(?:\.|%2e){1,2}(?:\/|$)/i

/** Paths that look the same for all visitors, so that one drawing serves all. */
const visitorPaths = ['/login', '/sign-up', '/forgot-password']
/** A larger answer, such as a long message, is left out, and the app requests it: embedding it would delay the page. */
const MOST_ANSWER_CHARS = 500_000

/** Loaded when the first page is opened: no start waits for it. */
const drawing = (): Promise<Drawing> => import(DRAWING)

export type PageFacts = { isFound: boolean; title: string | null }

/** Where the web app is not built it cannot be known, so anything may be a page. */
export const factsOf = async (path: string): Promise<PageFacts> => {
  if (!existsSync(DRAWING)) return { isFound: true, title: null }
  const { isPage, titleAt } = await drawing()
  const isFound = isPage(path)
  return { isFound, title: isFound ? titleAt(path) : 'Not found' }
}

/** Draws nothing where the web app is not built, as while it is developed. */
export const openViews = (
  server: FastifyInstance,
  app: App,
  announced: AnnouncedChanges,
): DrawView => {
  if (!existsSync(DRAWING)) return async () => null
  const drawn = new Map<string, DrawnView>()
  const inTurn = drawingTurns()
  const drawVisitor = async (path: string) => {
    const known = drawn.get(path)
    if (known) return known
    const view = await (await drawing()).drawPage({ url: path, cookies: '', ask: null })
    if (view) drawn.set(path, { ...view, answers: null })
    return drawn.get(path) ?? null
  }
  const drawMember = async (request: FastifyRequest, token: string): Promise<DrawnView | null> => {
    // Taken before anything is read: later changes reach the page by its events.
    const heardUntil = announced.lastId
    const view = await (await drawing()).drawPage({
      url: request.url,
      cookies: request.headers.cookie ?? '',
      ask: askAs(server, request, token),
    })
    return view && { ...view, answers: view.answers && { ...view.answers, heardUntil } }
  }
  return async (request) => {
    try {
      const path = pathOf(request)
      // The app would draw the page that it leads to, and this one was asked for.
      if (hasDots.test(path)) return null
      // A signed-in user is redirected from there to the dashboard.
      if (visitorPaths.includes(path)) return hasSession(request) ? null : await drawVisitor(path)
      if (!path.startsWith('/dashboard')) return null
      const token = await tokenToDraw(app, request)
      if (token === null) return null
      return await inTurn(ipOf(request), () => drawMember(request, token))
    } catch (error) {
      request.log.warn({ err: error }, 'a page was not drawn')
      return null
    }
  }
}

/** The browser's access token or, when it has run out, one for its session. */
const tokenToDraw = async (app: App, request: FastifyRequest): Promise<string | null> => {
  const given = accessTokenOf(request)
  const isGood = given !== null && (await readAccessToken(app, given).then(yes, no))
  if (isGood) return given
  const page = pageTokenOf(app, request)
  return page === null ? null : accessForPage(app, page)
}

const yes = () => true
const no = () => false

const MOST_WAITING = 5
const FREE_MS = 1_000
const SHARE = 0.25

export type InTurn = <T>(ip: string, draw: () => Promise<T>) => Promise<T | null>

/**
 * Drawing a page holds everything else for some tens of milliseconds. So pages are drawn one after the other, in turns that go
 * round among networks; a network that has had a second of drawing rests from then on, and has a quarter of the time. Who has
 * too many waiting gets the page undrawn, which the web app draws in any case (decision 040).
 */
export const drawingTurns = (freeMs = FREE_MS): InTurn => {
  const networks = openFairTurns({
    ...{ atOnce: Number.POSITIVE_INFINITY, atOnceOfEach: 1, waitingOfEach: MOST_WAITING },
  })
  const pages = openTurns(1)
  const took = openLevels({ fallsPerSecond: SHARE * 1000 })

  /** With how long the network rests after it. */
  const timed = async <T>(network: string, draw: () => Promise<T>): Promise<[T, number]> => {
    const startedAt = performance.now()
    const drawn = await draw()
    const tookMs = took.add(network, performance.now() - startedAt)
    return [drawn, Math.max(0, tookMs - freeMs) / SHARE]
  }
  return <T>(ip: string, draw: () => Promise<T>) => {
    const network = networkOf(ip)
    return new Promise<T | null>((done, fail) => {
      networks
        .take(network, async () => {
          const [drawn, restMs] = await pages.take(() => timed(network, draw))
          done(drawn)
          if (restMs > 0) await wait(restMs, undefined, { ref: false })
        })
        .catch((error: unknown) => (error instanceof TooManyWaiting ? done(null) : fail(error)))
    })
  }
}

/** Throws what was refused, and what is too large for a page. */
const askAs =
  (server: FastifyInstance, request: FastifyRequest, token: string) => async (address: string) => {
    const { statusCode, payload } = await server.inject({
      method: 'GET',
      url: API_PREFIX + address,
      remoteAddress: request.clientAddress,
      headers: { authorization: `Bearer ${token}` },
    })
    if (statusCode !== 200 || payload.length > MOST_ANSWER_CHARS)
      throw new Error(`${address} is not drawn: ${statusCode}`)
    return JSON.parse(payload) as unknown
  }
