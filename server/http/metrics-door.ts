/** METRICS_LISTEN: /healthz for a process of any role, including one without pages. */
import { createServer, type Server } from 'node:http'
import type { App } from '#server/app.ts'
import { HEALTH_PATH, healthOf } from './health.ts'

/** Does not listen yet. */
export const metricsServer = (app: App): Server =>
  createServer(async (request, reply) => {
    const isAsked = request.url?.split('?', 1)[0] === HEALTH_PATH && request.method === 'GET'
    if (!isAsked) return reply.writeHead(404, { 'content-type': 'text/plain' }).end('Not found\n')
    const { statusCode, headers, body } = await healthOf(app)
    reply.writeHead(statusCode, headers).end(JSON.stringify(body))
  })
