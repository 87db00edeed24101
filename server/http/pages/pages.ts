/** The built web app: its files from memory, and for every address that a person opens a page with its first view. */
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { noteLinked, pageTokenOf, themeOf, wasLinked } from '../exchange/cookies.ts'
import { pathOf } from '../exchange/errors.ts'
import type { ToldChanges } from '../live/told-changes.ts'
import { type DrawnView, isPage, openViews } from './draw-views.ts'
import {
  bodyOf,
  NONCE_MARK,
  type PageTemplate,
  type Pieces,
  piecesOf,
  readTemplate,
  type Theme,
  withNonce,
} from './page-template.ts'
import { pagePolicy } from './security-headers.ts'
import { loadWebFiles, WEB_FOLDER, type WebFile } from './web-files.ts'

const NOT_BUILT = 'The web app is not built here. Run npm start, which builds it.\n'

export type ShowPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

export const registerPages = async (
  server: FastifyInstance,
  app: App,
  told: ToldChanges,
  webFolder: string = WEB_FOLDER,
): Promise<ShowPage> => {
  const files = await loadWebFiles(webFolder)
  const drawView = openViews(server, told)
  const textOf = (path: string) => files.get(path)?.body.toString('utf8')
  const take = (path: string) => {
    const page = textOf(path)
    files.delete(path)
    return page === undefined ? undefined : readTemplate(page, textOf)
  }
  const index = take('/index.html')
  // The same page, which names other files to fetch early.
  const dashboard = take('/dashboard.html') ?? index
  for (const [path, file] of files)
    server.get(path, (request, reply) => {
      sendFile(file, request, reply)
    })

  /** A page without the app has no place for a view. */
  const viewOf = async (page: PageTemplate, request: FastifyRequest) =>
    page.app === '' ? null : drawView(request)

  const showPage: ShowPage = async (request, reply) => {
    // A form that was sent before the app was there: the page again, which keeps nothing of it.
    if (request.method === 'POST' && wantsPage(request))
      return reply.redirect(pathHere(request), 303)
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new AppError('METHOD_NOT_ALLOWED')
    // A script or picture that is not there must not get a page instead.
    if (!wantsPage(request)) throw new AppError('NOT_EXISTS')
    const nonce = randomBytes(16).toString('base64')
    const page = hasDashboardParts(request) ? dashboard : index
    if (page === undefined) return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT)
    reply.headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': pagePolicy(nonce, page.scriptHashes),
      // With what one person may see, it is kept by nobody.
      'cache-control': pageTokenOf(request) === null ? 'no-cache' : 'no-store',
      // The headers of security depend on who opened the page.
      vary: 'sec-fetch-site',
    })
    cutFromOpener(app, request, reply)
    if (!(await isPage(pathOf(request)))) reply.code(404)
    const theme = themeOf(request) ?? 'system'
    // Without a person it is the same for everybody, but for the nonce.
    if (pageTokenOf(request) === null)
      return reply.send(withNonce(wholePage(page, await viewOf(page, request), theme), nonce))
    const parts = async function* () {
      const view = viewOf(page, request)
      yield withNonce(page.head[theme], nonce)
      yield* bodyOf(page, await view, nonce)
    }
    return reply.send(Readable.from(parts()))
  }
  return showPage
}

const POLICY = 'cross-origin-opener-policy'

/** What browsers say of a page that was typed, is a bookmark, or was reached from a page of ours. */
const WITHOUT_OPENER = ['none', 'same-origin']
const LINKED = ['cross-site', 'same-site']

/**
 * Keeps a page that opened ours from holding on to its window, where there can be one (docs/decisions/016).
 * The policy is on every answer; this takes it from pages that nobody else opened. Once somebody did, it stays on all pages
 * of this browser: a page that is reloaded with another policy than it had loses its `history.state`.
 */
export const cutFromOpener = (app: App, request: FastifyRequest, reply: FastifyReply): void => {
  const site = String(request.headers['sec-fetch-site'])
  if (wasLinked(request)) return
  if (WITHOUT_OPENER.includes(site)) reply.removeHeader(POLICY)
  if (LINKED.includes(site)) noteLinked(app, reply)
}

const wholePages = new WeakMap<DrawnView | PageTemplate, Map<Theme, Pieces>>()

/** `view`: one that serves all. */
const wholePage = (page: PageTemplate, view: DrawnView | null, theme: Theme): Pieces => {
  const made = wholePages.get(view ?? page) ?? new Map<Theme, Pieces>()
  wholePages.set(view ?? page, made)
  const pieces =
    made.get(theme) ??
    piecesOf(
      page.head[theme].map(String).join(NONCE_MARK) + [...bodyOf(page, view, NONCE_MARK)].join(''),
    )
  made.set(theme, pieces)
  return pieces
}

/** The page behind a link for the DNS is put together from the same parts. */
const hasDashboardParts = (request: FastifyRequest): boolean =>
  /^\/(?:dashboard|dns)(?:\/|$)/.test(pathOf(request))

/** Two slashes at the start would be another host. */
const pathHere = (request: FastifyRequest): string => `/${pathOf(request).replace(/^[/\\]+/, '')}`

/** Browsers ask for text/html when a person opens an address; programs ask for anything. */
const wantsPage = (request: FastifyRequest): boolean => {
  const accepts = request.headers.accept ?? '*/*'
  if (accepts.includes('text/html')) return true
  const last = pathOf(request).split('/').at(-1) ?? ''
  return accepts.includes('*/*') && !/\.\w{1,8}$/.test(last)
}

const sendFile = (file: WebFile, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  reply.headers({
    'content-type': file.contentType,
    'cache-control': file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag: file.etag,
    vary: 'accept-encoding',
  })
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send()
  const accepted = request.headers['accept-encoding'] ?? ''
  if (file.br && /\bbr\b/.test(accepted))
    return reply.header('content-encoding', 'br').send(file.br)
  if (file.gz && /\bgzip\b/.test(accepted))
    return reply.header('content-encoding', 'gzip').send(file.gz)
  return reply.send(file.body)
}
