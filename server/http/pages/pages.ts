/** The built web app: its files from memory, and for every address that a person opens a page with its first view. */
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { openSharedWebFiles } from '#server/features/web-files/web-files.ts'
import { accessTokenOf, noteLinked, pageTokenOf, themeOf, wasLinked } from '../exchange/cookies.ts'
import { pathOf } from '../exchange/errors.ts'
import type { AnnouncedChanges } from '../live/announced-changes.ts'
import { factsOf, openViews } from './draw-views.ts'
import { type Manifest, templateOf } from './page-template.ts'
import { pagePolicy } from './security-headers.ts'
import { contentTypeOf, etagOf, loadWebFiles, WEB_FOLDER, type WebFile } from './web-files.ts'

const MANIFEST = '/manifest.json'
const NOT_BUILT = 'The web app is not built here. Run npm start, which builds it.\n'

export type ShowPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

export const registerPages = async (
  server: FastifyInstance,
  app: App,
  announced: AnnouncedChanges,
  webFolder: string = WEB_FOLDER,
): Promise<ShowPage> => {
  const files = await loadWebFiles(webFolder)
  const drawView = openViews(server, app, announced)
  const textOf = (path: string) => files.get(path)?.body.toString('utf8') ?? ''
  const manifest: Manifest | null = JSON.parse(textOf(MANIFEST) || 'null')
  files.delete(MANIFEST)
  const entrance = manifest && templateOf(manifest, 'auth', textOf)
  const dashboard = manifest && templateOf(manifest, 'dashboard', textOf)
  for (const [path, file] of files)
    server.get(path, (request, reply) => {
      sendFile(file, request, reply)
    })

  const showPage: ShowPage = async (request, reply) => {
    // A form that was sent before the app was there: the page again, which keeps nothing of it.
    if (request.method === 'POST' && wantsPage(request))
      return reply.redirect(pathHere(request), 303)
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new AppError('METHOD_NOT_ALLOWED')
    // A script or picture that is not there must not get a page instead.
    if (!wantsPage(request)) throw new AppError('NOT_EXISTS')
    const nonce = randomBytes(16).toString('base64')
    const page = hasDashboardParts(request) ? dashboard : entrance
    if (page === null) return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT)
    const isForVisitors = accessTokenOf(request) === null && pageTokenOf(app, request) === null
    reply.headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': pagePolicy(nonce, page.scriptHashes),
      // A page with a user's data is not cached.
      'cache-control': isForVisitors ? 'no-cache' : 'no-store',
      // The headers of security depend on who opened the page.
      vary: 'sec-fetch-site',
    })
    cutFromOpener(app, request, reply)
    const path = pathOf(request)
    const facts = await factsOf(path)
    if (!facts.isFound) reply.code(404)
    const head = { ...facts, path, theme: themeOf(request) ?? ('system' as const), nonce }
    const parts = async function* () {
      const view = drawView(request)
      yield page.headOf(head)
      yield* page.bodyOf(await view, nonce)
    }
    // Pages for visitors are drawn once and cached, so they are sent in one piece.
    return reply.send(isForVisitors ? await text(parts()) : Readable.from(parts()))
  }
  registerSharedFiles(server, app, showPage)
  return showPage
}

/** Files of another release, whose page is open in a browser. */
const registerSharedFiles = (server: FastifyInstance, app: App, showPage: ShowPage): void => {
  const findShared = openSharedWebFiles(app)
  server.get('/assets/:name', async (request, reply) => {
    const path = pathOf(request)
    const file = await findShared(path)
    const contentType = contentTypeOf(path)
    if (file === null || contentType === undefined) return showPage(request, reply)
    const etag = etagOf(file.body)
    return sendFile({ ...file, gz: null, contentType, etag, isHashed: true }, request, reply)
  })
}

const POLICY = 'cross-origin-opener-policy'

/** Values of Sec-Fetch-Site for an address that was typed, bookmarked or reached from our own pages. */
const WITHOUT_OPENER = ['none', 'same-origin']
const LINKED = ['cross-site', 'same-site']

/**
 * Keeps a page that opened ours from holding on to its window, where there can be one (docs/decisions/016).
 * The policy is on every answer; this removes it from pages that no other site opened. Once another site did, it stays for this
 * browser: a page that is reloaded with a different policy loses its `history.state`.
 */
export const cutFromOpener = (app: App, request: FastifyRequest, reply: FastifyReply): void => {
  const site = String(request.headers['sec-fetch-site'])
  if (wasLinked(request)) return
  if (WITHOUT_OPENER.includes(site)) reply.removeHeader(POLICY)
  if (LINKED.includes(site)) noteLinked(app, reply)
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
