/** Health of this process, for load balancers and for scripts that wait for the start. */
import type { FastifyInstance } from 'fastify'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { ping } from '#server/storage/ping.ts'
import { errorBodyFor } from './exchange/errors.ts'

export const HEALTH_PATH = '/healthz'

type Health = { statusCode: 200 | 503; headers: Record<string, string>; body: object }

/** The parts that do not work, among them 'database' and 'disk'; none: all is well. */
export const missingParts = async (app: App): Promise<string[]> => {
  const away = await ping(app.db).then(
    () => [],
    () => ['database'],
  )
  const full = (await app.blobs.hasRoom()) ? [] : ['disk']
  return [...app.readiness.missing(), ...away, ...full]
}

/** 200 when the database answers and every part of this process works, else 503 with the parts that do not. */
export const healthOf = async (app: App): Promise<Health> => {
  const headers = { 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' }
  const parts = [...new Set(await missingParts(app))]
  const warnings = app.readiness.warnings()
  if (parts.length === 0)
    return {
      statusCode: 200,
      headers,
      body: { status: 'ready', ...(warnings.length > 0 && { warnings }) },
    }
  const error = new AppError('UNAVAILABLE', { data: { parts } })
  return {
    statusCode: 503,
    headers: { ...headers, 'retry-after': '1' },
    body: errorBodyFor(error, HEALTH_PATH),
  }
}

export const registerHealth = (server: FastifyInstance, app: App): void => {
  server.get(HEALTH_PATH, async (_request, reply) => {
    const { statusCode, headers, body } = await healthOf(app)
    return reply.code(statusCode).headers(headers).send(JSON.stringify(body))
  })
}
