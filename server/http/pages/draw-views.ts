/**
 * The first view of a page, drawn here so that people see it before any script has run. Members get what the API answers
 * them, asked through its own front door; whatever goes wrong leaves the page to the web app, which draws it in any case (decision 012).
 */
import { existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { user } from '#contract/auth.ts'
import type { Answer, Drawing, FirstAnswers, Wanted } from '#contract/first-view.ts'
import { API_PREFIX } from '#contract/route.ts'
import { networkOf } from '#server/features/limits/throttle.ts'
import { openFairTurns, openLevels, openTurns, TooManyWaiting } from '#server/lib/turns/turns.ts'
import { hasSession, pageTokenOf } from '../exchange/cookies.ts'
import { pathOf } from '../exchange/errors.ts'
import { ipOf } from '../exchange/session.ts'
import type { ToldChanges } from '../live/told-changes.ts'

const DRAWING = fileURLToPath(new URL('../../../.build/pages/draw-page.js', import.meta.url))

export type DrawnView = { html: string; known: FirstAnswers | null }
export type DrawView = (request: FastifyRequest) => Promise<DrawnView | null>

/** `/dashboard/../login`: browsers send it resolved, and whoever does not gets no view. */
const hasDots = /\/(?:\.|%2e){1,2}(?:\/|$)/i

/** They look the same for everybody, so one drawing serves all. */
const visitorPaths = ['/login', '/sign-up', '/forgot-password']
/** What a page shows may need more than what it asked for at first. */
const MOST_ROUNDS = 5
const MOST_LEARNED = 50
/** Of one answer: a larger one, as a long message, is asked by the app instead of waiting twice for it. */
const MOST_ANSWER_CHARS = 500_000

/** The answer of a GET below the API, or undefined when it was refused or is too large for a page. */
type Ask = (address: string) => Promise<unknown>

/** Loaded when the first page is opened: no start waits for it. */
const drawing = (): Promise<Drawing> => import(DRAWING)

const MOST_PATHS = 1_000
/** Of paths that were asked: to find out tries every route. */
const knownPaths = new Map<string, boolean>()

/** Where the web app is not built it cannot be known, so anything may be a page. */
export const isPage = async (path: string): Promise<boolean> => {
  const known = knownPaths.get(path)
  if (known !== undefined) return known
  if (!existsSync(DRAWING)) return true
  const found = (await drawing()).isPage(path)
  if (knownPaths.size >= MOST_PATHS) knownPaths.clear()
  knownPaths.set(path, found)
  return found
}

/** Draws nothing where the web app is not built, as while it is developed. */
export const openViews = (server: FastifyInstance, told: ToldChanges): DrawView => {
  if (!existsSync(DRAWING)) return async () => null
  const drawn = new Map<string, DrawnView>()
  const drawMember = memberViews(told)
  const inTurn = drawingTurns()
  const drawVisitor = async (path: string) => {
    const view = drawn.get(path) ?? {
      html: (await (await drawing()).drawPage({ url: path, cookies: '', known: null })).html,
      known: null,
    }
    drawn.set(path, view)
    return view
  }
  return async (request) => {
    try {
      const path = pathOf(request)
      // The app would draw the page that it leads to, and this one was asked for.
      if (hasDots.test(path)) return null
      // Somebody who is signed in goes on from there to the dashboard.
      if (visitorPaths.includes(path)) return hasSession(request) ? null : await drawVisitor(path)
      const token = path.startsWith('/dashboard') ? pageTokenOf(request) : null
      if (token === null) return null
      return await inTurn(ipOf(request), () => drawMember(request, askAs(server, request, token)))
    } catch (error) {
      request.log.warn({ err: error }, 'a page was not drawn')
      return null
    }
  }
}

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

const askAs =
  (server: FastifyInstance, request: FastifyRequest, token: string): Ask =>
  async (address) => {
    const answer = await server.inject({
      method: 'GET',
      url: API_PREFIX + address,
      remoteAddress: request.clientAddress,
      headers: { authorization: `Bearer ${token}` },
    })
    const isGood = answer.statusCode === 200 && answer.payload.length <= MOST_ANSWER_CHARS
    return isGood ? answer.json() : undefined
  }

const memberViews = (told: ToldChanges) => {
  /** What each page asked for when it was drawn last, so that it is asked before it is drawn. */
  const learned = new Map<string, Wanted>()

  return async (request: FastifyRequest, ask: Ask): Promise<DrawnView | null> => {
    // Before anything is asked: what changes meanwhile is told to the page once it listens.
    const heardUntil = told.lastId
    const page = pageOf(pathOf(request))
    const cookies = request.headers.cookie ?? ''
    const { drawPage, askAhead } = await drawing()
    const asked = [...(learned.get(page) ?? []), ...(await askAhead(request.url))]
    const [answeredUser, answers] = await Promise.all([
      ask('/auth/verify-access'),
      answersOf(ask, asked),
    ])
    const whoAsks = user.safeParse(answeredUser)
    if (!whoAsks.success) return null
    const known: FirstAnswers = { user: whoAsks.data, answers, heardUntil }
    for (let round = 1; ; round++) {
      const { html, wanted } = await drawPage({ url: request.url, cookies, known })
      const unasked = wanted.filter(
        ({ address }) => !asked.some((each) => each.address === address),
      )
      // What is missing after so many rounds is asked by the app.
      if (unasked.length === 0 || round === MOST_ROUNDS) {
        if (learned.has(page) || learned.size < MOST_LEARNED)
          learned.set(page, asked.filter(isForAll))
        return { html, known }
      }
      asked.push(...unasked)
      known.answers.push(...(await answersOf(ask, unasked)))
    }
  }
}

/** The pages of things that are alike ask alike. */
const pageOf = (path: string): string =>
  path.replace(/\/[0-9a-f]{8}-[0-9a-f-]{27}(?=\/|$)/gi, '/{id}')

/** Asks nothing about one thing, which the next person has not. */
const isForAll = ({ key: [, args] }: Wanted[number]): boolean => Object.keys(args).length === 0

const answersOf = async (ask: Ask, wanted: Wanted): Promise<Answer[]> => {
  const answers = await Promise.all(
    wanted.map(async ({ key, address }) => ({ key, data: await ask(address) })),
  )
  return answers.filter(({ data }) => data !== undefined)
}
