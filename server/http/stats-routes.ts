import type { FastifyInstance } from 'fastify'
import { getMailPerDay as getMailPerDayRoute, getStats as getStatsRoute } from '#contract/stats.ts'
import type { App } from '#server/app.ts'
import { getMailPerDay } from '#server/features/stats/get-mail-per-day.ts'
import { getStats } from '#server/features/stats/get-stats.ts'
import { serve } from './serve.ts'

export const registerStatsRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, getStatsRoute, (_input, who) => getStats(app, who))
  serve(server, app, getMailPerDayRoute, (_input, who) => getMailPerDay(app, who))
}
