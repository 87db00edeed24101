import type { FastifyInstance } from 'fastify'
import * as routes from '#contract/workspace/company.ts'
import type { App } from '#server/app.ts'
import { getCompany, saveCompany } from '#server/features/workspaces/company-profile.ts'
import { serve } from '../serve.ts'

export const registerCompanyRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, routes.getCompany, (_input, who) => getCompany(app, who))
  serve(server, app, routes.saveCompany, ({ body }, who) => saveCompany(app, who, body))
}
