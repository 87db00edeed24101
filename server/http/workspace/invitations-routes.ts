import type { FastifyInstance } from 'fastify'
import * as routes from '#contract/workspace/invitations.ts'
import type { App } from '#server/app.ts'
import {
  declineInvitation,
  joinWorkspace,
  signUpInvited,
} from '#server/features/workspaces/invitations/answer-invitation.ts'
import { inviteMember, resendInvitation } from '#server/features/workspaces/invitations/invite.ts'
import { listInvitations } from '#server/features/workspaces/invitations/list-invitations.ts'
import { openInvitation } from '#server/features/workspaces/invitations/open-invitation.ts'
import { revokeInvitation } from '#server/features/workspaces/invitations/revoke-invitation.ts'
import { clientOf } from '../auth-routes.ts'
import { setSessionCookies } from '../exchange/cookies.ts'
import { serve } from '../serve.ts'

export const registerInvitationsRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, routes.listInvitations, (_input, who) => listInvitations(app, who))
  serve(server, app, routes.inviteMember, ({ body }, who) => inviteMember(app, who, body))
  serve(server, app, routes.resendInvitation, ({ params }, who) =>
    resendInvitation(app, who, params.id),
  )
  serve(server, app, routes.revokeInvitation, async ({ params }, who) => {
    await revokeInvitation(app, who, params.id)
    return { message: 'Invitation revoked' }
  })

  serve(server, app, routes.openInvitation, ({ body }) => openInvitation(app, body.session))
  serve(server, app, routes.joinWorkspace, ({ body }, who) => joinWorkspace(app, who, body.session))
  serve(server, app, routes.declineInvitation, async ({ body }) => {
    await declineInvitation(app, body.session)
    return { message: 'Invitation declined' }
  })
  serve(server, app, routes.signUpInvited, async ({ body }, _who, request, reply) => {
    const started = await signUpInvited(app, body, clientOf(app, request))
    setSessionCookies(app, reply, started)
    return started.answer
  })
}
