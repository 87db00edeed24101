/** METRICS_LISTEN: /healthz and /metrics for a process of any role, including one without pages. */
import { createServer, type Server } from 'node:http'
import type { App } from '#server/app.ts'
import { metricsOf } from '#server/features/operating/metrics.ts'
import { OPEN_METRICS, openMetricsText } from '#server/lib/metrics/open-metrics.ts'
import { HEALTH_PATH, healthOf, missingParts } from './health.ts'

const METRICS_PATH = '/metrics'

type Answer = { statusCode: number; headers: Record<string, string>; body: string }

/** Does not listen yet. */
export const metricsServer = (app: App): Server =>
  createServer(async (request, reply) => {
    const path = request.method === 'GET' ? (request.url?.split('?', 1)[0] ?? '') : ''
    const answer = Object.hasOwn(answers, path) ? answers[path] : undefined
    const { statusCode, headers, body } = await (answer?.(app) ?? notFound()).catch(failed(app))
    reply.writeHead(statusCode, headers).end(body)
  })

const answers: Record<string, (app: App) => Promise<Answer>> = {
  [HEALTH_PATH]: async (app) => {
    const { body, ...rest } = await healthOf(app)
    return { ...rest, body: JSON.stringify(body) }
  },
  [METRICS_PATH]: async (app) => ({
    statusCode: 200,
    headers: { 'content-type': OPEN_METRICS, 'cache-control': 'no-store' },
    body: openMetricsText(await metricsOf(app, await missingParts(app))),
  }),
}

const plain = { 'content-type': 'text/plain' }
const notFound = async (): Promise<Answer> => ({
  ...{ statusCode: 404, headers: plain, body: 'Not found\n' },
})

const failed =
  (app: App) =>
  (error: unknown): Answer => {
    app.log.error({ err: error }, 'metrics could not be read')
    return { statusCode: 500, headers: plain, body: 'The metrics could not be read\n' }
  }
