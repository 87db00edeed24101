/**
 * The web door: API, events and pages. It parses, calls a feature, answers;
 * rules live in `features/`.
 */
import cookie from '@fastify/cookie'
import fastify, { type FastifyInstance, LogController } from 'fastify'
import { AppError } from '#contract/errors.ts'
import { API_PREFIX, type Route } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import { newId } from '#server/lib/ids.ts'
import { registerChallenges } from './doors/challenges.ts'
import type { BodyRoom } from './exchange/body-room.ts'
import { openClientAddresses } from './exchange/client-address.ts'
import { type ConnectionLimits, type Connections, openConnections } from './exchange/connections.ts'
import { isApi, pathOf, refuseUnread, sendError } from './exchange/errors.ts'
import { type KeyLimits, type KeyPace, openKeyPace } from './exchange/key-pace.ts'
import { openTurnsOfLoop } from './exchange/large-answer.ts'
import { readBodies } from './exchange/read-body.ts'
import { openRefusedForms } from './exchange/refused-forms.ts'
import { ipOf } from './exchange/session.ts'
import { openPace } from './exchange/strangers-pace.ts'
import { registerHealth } from './health.ts'
import { AnnouncedChanges } from './live/announced-changes.ts'
import { registerEvents } from './live/events.ts'
import { registerOpenApi } from './openapi/openapi.ts'
import { registerMailFrame } from './pages/mail-frame.ts'
import { registerOutboxPage } from './pages/outbox-page.ts'
import { registerPages } from './pages/pages.ts'
import { setSecurityHeaders } from './pages/security-headers.ts'
import { plainCase, registerSetUpFiles } from './pages/set-up-files.ts'
import { registerSiteFiles } from './pages/site-files.ts'
import {
  registerAuthRoutes,
  registerLeavingRoutes,
  registerOauthRoutes,
  registerOwnSessionsRoutes,
  registerProfileRoutes,
} from './routes/auth-routes.ts'
import { registerCardRoutes } from './routes/card-routes.ts'
import { registerDeletionsRoutes } from './routes/deletions-routes.ts'
import {
  registerDnsLinksRoutes,
  registerDnsSettingRoutes,
  registerDomainsRoutes,
  registerManyDomainsRoutes,
  registerOwnershipRoutes,
} from './routes/domains-routes.ts'
import { registerExportsRoutes } from './routes/exports-routes.ts'
import { registerFactorRoutes } from './routes/factor-routes.ts'
import { registerInstallationRoutes } from './routes/installation-routes.ts'
import { registerKeysRoutes } from './routes/keys-routes.ts'
import {
  registerAccessRoutes,
  registerAppPasswordRoutes,
  registerMailboxesRoutes,
  registerMailboxSettingsRoutes,
} from './routes/mailboxes-routes.ts'
import {
  registerMailListRoutes,
  registerMessagesRoutes,
  registerPicturesRoutes,
} from './routes/messages-routes.ts'
import { registerOperatorRoutes } from './routes/operator-routes.ts'
import { registerTransferRoutes } from './routes/transfer-routes.ts'
import { registerWebhooksRoutes } from './routes/webhooks-routes.ts'
import {
  registerAuditLogRoutes,
  registerBillingRoutes,
  registerCompanyRoutes,
  registerInvitationsRoutes,
  registerMembersRoutes,
  registerMovesRoutes,
  registerPreferenceRoutes,
  registerProgramRulesRoutes,
  registerStatsRoutes,
  registerViewsRoutes,
  registerWorkspacesRoutes,
} from './routes/workspaces-routes.ts'
import { registerWritingRoutes } from './routes/writing-routes.ts'

/** Time for requests under way after the door closes. */
const LAST_REQUESTS_MS = 1_000

declare module 'fastify' {
  interface FastifyInstance {
    /** Of all ports together. */
    connections: Connections
    /** Waits for the turn of a stranger's network. */
    pace: ReturnType<typeof openPace>
    keyPace: KeyPace
  }
}

export type HttpOptions = {
  /** Folder of the built web app. */
  webFolder?: string
  /** Routes of a program that embeds the product, such as the demo. */
  moreRoutes?: (server: FastifyInstance, app: App) => void
  /** Memory for large bodies; tests set it smaller. */
  bodyRoom?: BodyRoom
  /** Refused forms per network and minute. */
  refusedForms?: number
  connections?: ConnectionLimits
  /** Requests with API keys. */
  keys?: KeyLimits
}

const newServer = (app: App): FastifyInstance =>
  fastify({
    // Fastify logs at `info` that it listens; the ready line says more.
    loggerInstance: app.log.child(
      { door: 'http' },
      { level: app.log.level === 'info' ? 'warn' : app.log.level },
    ),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newId(),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // A body of 40 MB over a slow line takes minutes; headers never do.
    requestTimeout: 300_000,
    // No bytes either way: an unread answer, or a client that has left. Event streams have a heartbeat.
    connectionTimeout: 90_000,
    http: { headersTimeout: 15_000, connectionsCheckingInterval: 5_000 },
    routerOptions: { maxParamLength: 500 },
    rewriteUrl: ({ url = '/' }) => plainCase(url),
    clientErrorHandler: (error, socket) => refuseUnread(error, socket),
    // Answered before any hook: a URL that cannot be decoded.
    frameworkErrors: (error, request, reply) => {
      setSecurityHeaders(app, request, reply)
      void sendError(error, request, reply)
    },
  }) as unknown as FastifyInstance

/** Does not listen yet. */
export const openHttpServer = async (
  app: App,
  { webFolder, moreRoutes, bodyRoom, refusedForms, connections, keys }: HttpOptions = {},
): Promise<FastifyInstance> => {
  const server = newServer(app)
  server.addHook('preClose', async () => {
    // Browsers open connections in advance, which never become idle in this sense.
    setTimeout(() => server.server.closeAllConnections(), LAST_REQUESTS_MS).unref()
  })
  const counted = openConnections(app.config.trustedProxies, connections)
  counted.count(server.server)
  counted.follow(server.server)
  server.decorate('connections', counted)
  server.decorate('servedRoutes', [])
  server.decorate('refusedForms', openRefusedForms(refusedForms))
  server.decorate('keyPace', openKeyPace(keys))
  server.decorateRequest('caller', null).decorateRequest('clientAddress', '')
  const addressOf = openClientAddresses(app)
  const pace = openPace()
  server.decorate('pace', pace)
  const turn = openTurnsOfLoop()
  server.addHook('onRequest', async (request, reply) => {
    request.clientAddress = addressOf(request)
    setSecurityHeaders(app, request, reply)
    await turn(ipOf(request))
    // Without a caller, the header changes nothing.
    const isCalled = request.headers.authorization !== undefined && isApi(request.url)
    if (!isCalled) await pace(ipOf(request))
  })
  readBodies(server, bodyRoom)
  server.setErrorHandler(sendError)
  await server.register(cookie)

  registerApi(server, app)
  moreRoutes?.(server, app)
  registerOpenApi(server, app)
  const announced = new AnnouncedChanges()
  registerEvents(server, app, announced)
  registerHealth(server, app)
  registerOutboxPage(server, app)
  registerSiteFiles(server, app)
  registerSetUpFiles(server, app)
  registerChallenges(server, app)
  registerMailFrame(server)
  const showPage = await registerPages(server, app, announced, webFolder)

  server.setNotFoundHandler(async (request, reply) => {
    if (!isApi(pathOf(request))) return showPage(request, reply)
    const methods = allowedMethods(server.servedRoutes, pathOf(request))
    if (methods.length === 0) throw new AppError('NOT_EXISTS')
    reply.header('allow', methods.join(', '))
    throw new AppError('METHOD_NOT_ALLOWED')
  })
  return server
}

/** The methods that a path answers to; none when no route has it. */
const allowedMethods = (routes: readonly Route[], path: string): string[] =>
  routes.filter((route) => matches(API_PREFIX + route.path, path)).map((route) => route.method)

const matches = (template: string, path: string): boolean => {
  const wanted = template.split('/')
  const given = path.split('/')
  return (
    wanted.length === given.length &&
    wanted.every((part, i) => (part.startsWith('{') ? given[i] !== '' : part === given[i]))
  )
}

const registerApi = (server: FastifyInstance, app: App): void => {
  registerAuthRoutes(server, app)
  registerOauthRoutes(server, app)
  registerProfileRoutes(server, app)
  registerOwnSessionsRoutes(server, app)
  registerLeavingRoutes(server, app)
  registerFactorRoutes(server, app)
  registerWorkspacesRoutes(server, app)
  registerOperatorRoutes(server, app)
  registerMembersRoutes(server, app)
  registerInvitationsRoutes(server, app)
  registerCompanyRoutes(server, app)
  registerPreferenceRoutes(server, app)
  registerInstallationRoutes(server, app)
  registerDomainsRoutes(server, app)
  registerOwnershipRoutes(server, app)
  registerManyDomainsRoutes(server, app)
  registerDnsLinksRoutes(server, app)
  registerDnsSettingRoutes(server, app)
  registerMailboxesRoutes(server, app)
  registerAccessRoutes(server, app)
  registerMessagesRoutes(server, app)
  registerMailListRoutes(server, app)
  registerPicturesRoutes(server, app)
  registerMailboxSettingsRoutes(server, app)
  registerAppPasswordRoutes(server, app)
  registerTransferRoutes(server, app)
  registerWritingRoutes(server, app)
  registerBillingRoutes(server, app)
  registerCardRoutes(server, app)
  registerStatsRoutes(server, app)
  registerMovesRoutes(server, app)
  registerDeletionsRoutes(server, app)
  registerExportsRoutes(server, app)
  registerWebhooksRoutes(server, app)
  registerViewsRoutes(server, app)
  registerKeysRoutes(server, app)
  registerAuditLogRoutes(server, app)
  registerProgramRulesRoutes(server, app)
}
