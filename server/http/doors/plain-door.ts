/** HTTP_PORT: answers directories and mail programs that ask without TLS, and sends everybody else to https. */
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { App } from '#server/app.ts'
import type { Connections } from '../exchange/connections.ts'
import { isSetUpPath } from '../pages/set-up-files.ts'
import { CHALLENGES } from './challenges.ts'

const MOST_PATH = 2_000

/** Does not listen yet. */
export const plainDoor = (app: App, web: FastifyInstance, connections: Connections): Server => {
  const { config, certificates } = app
  const home = new URL(config.publicUrl)
  /** Names that we show a certificate for; a browser that asks for another one is sent home. */
  const targetOf = (host: string, path: string): string => {
    const isOurs = host !== home.hostname && certificates.isFor(host)
    return isOurs ? `https://${host}${portOf(config.httpsPort)}${path}` : `${home.origin}${path}`
  }
  const server = createServer(
    { headersTimeout: 15_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 },
    (request, response) => {
      const path = request.url ?? '/'
      if (path.startsWith(CHALLENGES) || isSetUpPath(path)) return web.routing(request, response)
      const isPlain = path.startsWith('/') && path.length <= MOST_PATH
      return redirect(response, targetOf(hostOf(request.headers.host), isPlain ? path : '/'))
    },
  )
  server.timeout = 30_000
  connections.count(server)
  connections.follow(server)
  server.on('error', (error) => app.log.debug({ err: error }, 'a connection was not taken'))
  return server
}

/** A method that changes something keeps it (RFC 9110 section 15.4.9). */
const redirect = (response: ServerResponse, location: string): void => {
  response.writeHead(308, { location, 'content-length': 0, connection: 'close' }).end()
}

const hostOf = (host = ''): string => host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')

const portOf = (httpsPort: number | null): string =>
  httpsPort === null || httpsPort === 443 ? '' : `:${httpsPort}`
