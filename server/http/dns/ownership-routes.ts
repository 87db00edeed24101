import type { FastifyInstance } from 'fastify'
import * as routes from '#contract/dns/claims.ts'
import type { App } from '#server/app.ts'
import {
  getOwnership,
  listOwnership,
} from '#server/features/domains/ownership/reading/read-ownership.ts'
import { withdrawClaim } from '#server/features/domains/ownership/withdraw-claim.ts'
import { serve } from '../serve.ts'

export const registerOwnershipRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, routes.listOwnership, (_, who) => listOwnership(app, who))
  serve(server, app, routes.getOwnership, ({ params }, who) => getOwnership(app, who, params.id))
  serve(server, app, routes.withdrawClaim, ({ params }, who) => withdrawClaim(app, who, params.id))
}
