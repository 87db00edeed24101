/**
 * The web door: the API, the events and the pages. It parses, asks a feature, answers;
 * rules live in `features/`.
 */
import cookie from '@fastify/cookie'
import fastify, { type FastifyInstance, LogController } from 'fastify'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { newId } from '#server/lib/ids.ts'
import { allowedMethods } from './exchange/allowed-methods.ts'
import type { BodyRoom } from './exchange/body-room.ts'
import { clientAddress } from './exchange/client-address.ts'
import { type ConnectionLimits, limitConnections } from './exchange/connections.ts'
import { isApi, pathOf, sendError } from './exchange/errors.ts'
import { openTurnsOfLoop } from './exchange/large-answer.ts'
import { readBodies } from './exchange/read-body.ts'
import { openRefusedForms } from './exchange/refused-forms.ts'
import { ipOf } from './exchange/session.ts'
import { openPace } from './exchange/strangers-pace.ts'
import { registerHealth } from './health.ts'
import { registerEvents } from './live/events.ts'
import { ToldChanges } from './live/told-changes.ts'
import { registerOpenApi } from './openapi.ts'
import { registerMailFrame } from './pages/mail-frame.ts'
import { registerOutboxPage } from './pages/outbox-page.ts'
import { registerPages } from './pages/pages.ts'
import { setSecurityHeaders } from './pages/security-headers.ts'
import {
  registerAuthRoutes,
  registerOauthRoutes,
  registerProfileRoutes,
} from './routes/auth-routes.ts'
import {
  registerDnsLinksRoutes,
  registerDnsSettingRoutes,
  registerDomainsRoutes,
  registerOwnershipRoutes,
} from './routes/domains-routes.ts'
import { registerInstallationRoutes } from './routes/installation-routes.ts'
import {
  registerAccessRoutes,
  registerMailboxesRoutes,
  registerMailboxSettingsRoutes,
} from './routes/mailboxes-routes.ts'
import {
  registerMailListRoutes,
  registerMessagesRoutes,
  registerPicturesRoutes,
} from './routes/messages-routes.ts'
import { registerTransferRoutes } from './routes/transfer-routes.ts'
import {
  registerBillingRoutes,
  registerCompanyRoutes,
  registerInvitationsRoutes,
  registerMembersRoutes,
  registerMovesRoutes,
  registerStatsRoutes,
  registerWorkspacesRoutes,
} from './routes/workspaces-routes.ts'
import { registerWritingRoutes } from './routes/writing-routes.ts'

/** How long requests under way may take once the door closes. */
const LAST_REQUESTS_MS = 1_000

export type HttpOptions = {
  /** Of the built web app. */
  webFolder?: string
  /** Of those who embed the product: the demo's. */
  moreRoutes?: (server: FastifyInstance, app: App) => void
  /** Of large bodies that are here at once; tests set it smaller. */
  bodyRoom?: BodyRoom
  /** Of forms of strangers, of one network in a minute. */
  refusedForms?: number
  connections?: ConnectionLimits
}

/** Not yet listening. */
export const openHttpServer = async (
  app: App,
  { webFolder, moreRoutes, bodyRoom, refusedForms, connections }: HttpOptions = {},
): Promise<FastifyInstance> => {
  const server = fastify({
    // Fastify tells at `info` that it listens; the ready line says it better.
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
    // Nothing came or went: an answer that is not read, or somebody who has left. Event streams have a heartbeat.
    connectionTimeout: 90_000,
    http: { headersTimeout: 15_000, connectionsCheckingInterval: 5_000 },
    routerOptions: { maxParamLength: 500 },
    // Before any hook: an address that cannot be read.
    frameworkErrors: (error, request, reply) => {
      setSecurityHeaders(app, request, reply)
      void sendError(error, request, reply)
    },
  }) as unknown as FastifyInstance
  server.addHook('preClose', async () => {
    // Browsers open connections ahead that never become idle in this sense.
    setTimeout(() => server.server.closeAllConnections(), LAST_REQUESTS_MS).unref()
  })
  limitConnections(server.server, app.config.trustedProxies, connections)
  server.decorate('servedRoutes', [])
  server.decorate('refusedForms', openRefusedForms(refusedForms))
  server.decorateRequest('caller', null).decorateRequest('clientAddress', '')
  const pace = openPace()
  const turn = openTurnsOfLoop()
  server.addHook('onRequest', async (request, reply) => {
    request.clientAddress = clientAddress(app, request)
    setSecurityHeaders(app, request, reply)
    await turn(ipOf(request))
    // Of what has no caller, a header that claims one changes nothing.
    const isCalled = request.headers.authorization !== undefined && isApi(request.url)
    if (!isCalled) await pace(ipOf(request))
  })
  readBodies(server, bodyRoom)
  server.setErrorHandler(sendError)
  await server.register(cookie)

  registerApi(server, app)
  moreRoutes?.(server, app)
  registerOpenApi(server, app)
  const told = new ToldChanges()
  registerEvents(server, app, told)
  registerHealth(server, app)
  registerOutboxPage(server, app)
  registerMailFrame(server)
  const showPage = await registerPages(server, app, told, webFolder)

  server.setNotFoundHandler(async (request, reply) => {
    if (!isApi(pathOf(request))) return showPage(request, reply)
    const methods = allowedMethods(server.servedRoutes, pathOf(request))
    if (methods.length === 0) throw new AppError('NOT_EXISTS')
    reply.header('allow', methods.join(', '))
    throw new AppError('METHOD_NOT_ALLOWED')
  })
  return server
}

const registerApi = (server: FastifyInstance, app: App): void => {
  registerAuthRoutes(server, app)
  registerOauthRoutes(server, app)
  registerProfileRoutes(server, app)
  registerWorkspacesRoutes(server, app)
  registerMembersRoutes(server, app)
  registerInvitationsRoutes(server, app)
  registerCompanyRoutes(server, app)
  registerInstallationRoutes(server, app)
  registerDomainsRoutes(server, app)
  registerOwnershipRoutes(server, app)
  registerDnsLinksRoutes(server, app)
  registerDnsSettingRoutes(server, app)
  registerMailboxesRoutes(server, app)
  registerAccessRoutes(server, app)
  registerMessagesRoutes(server, app)
  registerMailListRoutes(server, app)
  registerPicturesRoutes(server, app)
  registerMailboxSettingsRoutes(server, app)
  registerTransferRoutes(server, app)
  registerWritingRoutes(server, app)
  registerBillingRoutes(server, app)
  registerStatsRoutes(server, app)
  registerMovesRoutes(server, app)
}
