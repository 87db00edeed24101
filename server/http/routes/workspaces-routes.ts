import type { FastifyInstance } from 'fastify'
import * as billing from '#contract/billing.ts'
import * as firstSteps from '#contract/first-steps.ts'
import * as invitationsRoutes from '#contract/invitations.ts'
import * as testMails from '#contract/mail/test-mail.ts'
import * as preferenceRoutes from '#contract/profile.ts'
import * as viewsRoutes from '#contract/saved-views.ts'
import {
  getMailPerDay as getMailPerDayRoute,
  getStats as getStatsRoute,
  listWorkspaceFigures as listWorkspaceFiguresRoute,
} from '#contract/stats.ts'
import { listAuditLog as listAuditLogRoute } from '#contract/workspace/audit-log.ts'
import * as rules from '#contract/workspace/mail-programs.ts'
import * as companyRoutes from '#contract/workspaces.ts'
import * as routes from '#contract/workspaces.ts'
import type { App } from '#server/app.ts'
import { listAuditLog } from '#server/features/audit/list-audit-log.ts'
import { getInvoice, getInvoicePdf, listInvoices } from '#server/features/billing/invoices.ts'
import { payForMailboxes } from '#server/features/billing/pay-for-mailboxes.ts'
import {
  changeRole,
  leaveWorkspace,
  listMembers,
  removeMember,
} from '#server/features/members/change-members.ts'
import { moveDomain, previewMove } from '#server/features/moves/move-domain.ts'
import { getProgramRules, saveProgramRules } from '#server/features/programs/program-rules.ts'
import { getDomainSteps, getFirstSteps, markWorksSeen } from '#server/features/stats/first-steps.ts'
import { getMailPerDay, getStats } from '#server/features/stats/stats.ts'
import { listWorkspaceFigures } from '#server/features/stats/workspace-figures.ts'
import { getTestMail } from '#server/features/test-mails/get-test-mail.ts'
import { sendTestMail } from '#server/features/test-mails/send-test-mail.ts'
import {
  declineInvitation,
  joinWorkspace,
  openInvitation,
  signUpInvited,
} from '#server/features/workspaces/answer-invitation.ts'
import { getCompany, saveBuyer, saveCompany } from '#server/features/workspaces/company-profile.ts'
import { listInvitations, revokeInvitation } from '#server/features/workspaces/invitations.ts'
import { inviteMember, resendInvitation } from '#server/features/workspaces/invite.ts'
import { getPreferences, savePreferences } from '#server/features/workspaces/preferences.ts'
import {
  deleteView,
  listViews,
  renameView,
  saveView,
} from '#server/features/workspaces/saved-views.ts'
import {
  createWorkspace,
  renameWorkspace,
  switchWorkspace,
  workspacesOf,
} from '#server/features/workspaces/workspaces.ts'
import { setSessionCookies } from '../exchange/cookies.ts'
import { serve, serveBytes } from '../exchange/serve.ts'
import { sendFile } from '../pages/web-files.ts'
import { clientOf } from './auth-routes.ts'

export const registerWorkspacesRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, routes.listWorkspaces, (_input, who) => workspacesOf(app, who))
  serve(server, app, routes.createWorkspace, ({ body }, who) => createWorkspace(app, who, body))
  serve(server, app, routes.renameWorkspace, ({ params, body }, who) =>
    renameWorkspace(app, who, params.id, body),
  )
  serve(server, app, routes.switchWorkspace, ({ params }, who) =>
    switchWorkspace(app, who, params.id),
  )
  serve(server, app, routes.leaveWorkspace, async ({ params }, who) => {
    await leaveWorkspace(app, who, params.id)
    return { message: 'You left the workspace' }
  })
}

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

export const registerInvitationsRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, invitationsRoutes.listInvitations, (_input, who) => listInvitations(app, who))
  serve(server, app, invitationsRoutes.inviteMember, ({ body }, who) =>
    inviteMember(app, who, body),
  )
  serve(server, app, invitationsRoutes.resendInvitation, ({ params }, who) =>
    resendInvitation(app, who, params.id),
  )
  serve(server, app, invitationsRoutes.revokeInvitation, async ({ params }, who) => {
    await revokeInvitation(app, who, params.id)
    return { message: 'Invitation revoked' }
  })

  serve(server, app, invitationsRoutes.openInvitation, ({ body }) =>
    openInvitation(app, body.session),
  )
  serve(server, app, invitationsRoutes.joinWorkspace, ({ body }, who) =>
    joinWorkspace(app, who, body.session),
  )
  serve(server, app, invitationsRoutes.declineInvitation, async ({ body }) => {
    await declineInvitation(app, body.session)
    return { message: 'Invitation declined' }
  })
  serve(server, app, invitationsRoutes.signUpInvited, async ({ body }, _who, request, reply) => {
    const started = await signUpInvited(app, body, clientOf(app, request))
    setSessionCookies(app, reply, started)
    return started.answer
  })
}

export const registerPreferenceRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, preferenceRoutes.getPreferences, (_input, who) => getPreferences(app, who))
  for (const route of [preferenceRoutes.savePreferences, preferenceRoutes.saveWritingPreferences])
    serve(server, app, route, ({ body }, who) => savePreferences(app, who, body))
}

export const registerCompanyRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, companyRoutes.getCompany, (_input, who) => getCompany(app, who))
  serve(server, app, companyRoutes.saveCompany, ({ body }, who) => saveCompany(app, who, body))
  serve(server, app, companyRoutes.saveBuyer, ({ body }, who) => saveBuyer(app, who, body))
}

export const registerProgramRulesRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, rules.getProgramRules, (_input, who) => getProgramRules(app, who))
  serve(server, app, rules.saveProgramRules, ({ body }, who) => saveProgramRules(app, who, body))
}

export const registerAuditLogRoutes = (server: FastifyInstance, app: App): void =>
  serve(server, app, listAuditLogRoute, ({ query }, who) => listAuditLog(app, who, query))

export const registerViewsRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, viewsRoutes.listSavedViews, (_input, who) => listViews(app, who))
  serve(server, app, viewsRoutes.saveView, ({ body }, who) => saveView(app, who, body))
  serve(server, app, viewsRoutes.renameView, ({ params, body }, who) =>
    renameView(app, who, params.id, body.name),
  )
  serve(server, app, viewsRoutes.deleteView, async ({ params }, who) => {
    await deleteView(app, who, params.id)
    return { message: 'View deleted' }
  })
}

export const registerMovesRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, routes.previewMove, ({ params }, who) => previewMove(app, who, params.id))
  serve(server, app, routes.moveDomain, ({ params, body }, who) =>
    moveDomain(app, who, params.id, body.workspaceId),
  )
}

export const registerBillingRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, billing.listInvoices, ({ query }, who) => listInvoices(app, who, query))
  serve(server, app, billing.getInvoice, ({ params }, who) => getInvoice(app, who, params.id))
  serveBytes(server, app, billing.getInvoicePdf, async ({ params }, who, reply) => {
    const file = await getInvoicePdf(app, who, params.id)
    return sendFile(reply, { ...file, contentType: 'application/pdf' })
  })
  serve(server, app, billing.pay, ({ body }, who, { headers }) =>
    // Node joins repeated headers of this name with a comma.
    payForMailboxes(
      ...([app, who, body.mailboxIds] as const),
      headers[billing.IDEMPOTENCY_HEADER]?.toString() ?? null,
    ),
  )
}

export const registerStatsRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, getStatsRoute, (_input, who) => getStats(app, who))
  serve(server, app, listWorkspaceFiguresRoute, (_input, who) => listWorkspaceFigures(app, who))
  serve(server, app, firstSteps.getFirstSteps, (_input, who) => getFirstSteps(app, who))
  serve(server, app, firstSteps.getDomainSteps, ({ params }, who) =>
    getDomainSteps(app, who, params.id),
  )
  serve(server, app, firstSteps.markWorksSeen, ({ params }, who) =>
    markWorksSeen(app, who, params.id),
  )
  serve(server, app, testMails.getTestMail, ({ params }, who) => getTestMail(app, who, params.id))
  serve(server, app, testMails.sendTestMail, ({ params, body }, who) =>
    sendTestMail(app, who, params.id, body),
  )
  serve(server, app, getMailPerDayRoute, (_input, who) => getMailPerDay(app, who))
}
