import type { FastifyInstance } from 'fastify'
import { getStats as getStatsRoute } from '#contract/stats.ts'
import type { App } from '#server/app.ts'
import { getStats } from '#server/features/stats/get-stats.ts'
import { serve } from './serve.ts'

export const registerStatsRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, getStatsRoute, (_input, who) => getStats(app, who))
}
