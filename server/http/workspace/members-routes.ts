import type { FastifyInstance } from 'fastify'
import * as routes from '#contract/workspaces.ts'
import type { App } from '#server/app.ts'
import { changeRole, removeMember } from '#server/features/workspaces/members/change-members.ts'
import { listMembers } from '#server/features/workspaces/members/list-members.ts'
import { serve } from '../serve.ts'

export const registerMembersRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, routes.listMembers, (_input, who) => listMembers(app, who))
  serve(server, app, routes.changeRole, ({ params, body }, who) =>
    changeRole(app, who, params.id, body.role),
  )
  serve(server, app, routes.removeMember, async ({ params }, who) => {
    await removeMember(app, who, params.id)
    return { message: 'Member removed' }
  })
}
