/** For load balancers and for scripts that wait for the start. */
import type { FastifyInstance } from 'fastify'
import { AppError } from '#contract/errors.ts'
import type { App } from '#server/app.ts'
import { ping } from '#server/storage/ping.ts'
import { tellError } from './exchange/errors.ts'

/** 200 when the database answers and every part of this process has opened. */
export const registerHealth = (server: FastifyInstance, app: App): void => {
  server.get('/healthz', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (app.readiness.missing().length > 0)
      return tellError(new AppError('UNAVAILABLE', { retryAfterSeconds: 1 }), request, reply)
    await ping(app.db)
    return { status: 'ready' }
  })
}
