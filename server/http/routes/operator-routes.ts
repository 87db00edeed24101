import type { FastifyInstance } from 'fastify'
import { resetFactorOf } from '#contract/account/factor-reset.ts'
import { dismissAnnouncement as dismissRoute, listAnnouncements } from '#contract/installation.ts'
import * as accounts from '#contract/operator/accounts.ts'
import { listOperatorActions } from '#contract/operator/actions.ts'
import * as alerts from '#contract/operator/alerts.ts'
import * as announcements from '#contract/operator/announcements.ts'
import * as backups from '#contract/operator/backups.ts'
import * as deletions from '#contract/operator/deletions.ts'
import { findForOperator as findRoute } from '#contract/operator/find.ts'
import { getHealth } from '#contract/operator/health.ts'
import * as invoices from '#contract/operator/invoices.ts'
import * as lists from '#contract/operator/lists.ts'
import { findLoggedMails } from '#contract/operator/mail-log.ts'
import * as mailboxes from '#contract/operator/mailboxes.ts'
import * as operators from '#contract/operator/operators.ts'
import * as queue from '#contract/operator/queue.ts'
import * as senders from '#contract/operator/senders.ts'
import * as settings from '#contract/operator/settings.ts'
import * as workspaces from '#contract/operator/workspaces.ts'
import type { App } from '#server/app.ts'
import { askForBackup, listKept, showBackups } from '#server/features/backups/ask-for-backup.ts'
import {
  endSessions,
  listAccounts,
  makeAdmin,
  makeResetLink,
  resetFactor,
  showAccount,
} from '#server/features/operating/accounts.ts'
import { listActions } from '#server/features/operating/actions.ts'
import { showAlerts, testAlert } from '#server/features/operating/alerts/operate-alerts.ts'
import {
  announce,
  announcementsFor,
  dismissAnnouncement,
  endAnnouncement,
  listMade,
} from '#server/features/operating/announcements/announcements.ts'
import {
  deleteAsOperator,
  previewOperatedDeletion,
} from '#server/features/operating/delete-workspace.ts'
import { exportMoney } from '#server/features/operating/export-money.ts'
import { findForOperator } from '#server/features/operating/find.ts'
import { makeFirstOperator, openFirstLink } from '#server/features/operating/first-operator.ts'
import { checkInstallation } from '#server/features/operating/health/check-installation.ts'
import {
  giveBack,
  listInvoices,
  settleInvoice,
  showInvoice,
} from '#server/features/operating/invoices.ts'
import { findMails } from '#server/features/operating/mail-log/find-mails.ts'
import { listMailboxes, showMailbox } from '#server/features/operating/mailboxes.ts'
import { changeQueue, listQueue, showQueue } from '#server/features/operating/queue.ts'
import {
  addListed,
  listListed,
  removeFromList,
} from '#server/features/operating/senders/sender-lists.ts'
import {
  listSenders,
  resumeSender,
  stopSender,
} from '#server/features/operating/senders/senders.ts'
import { changeSettings, showSettings } from '#server/features/operating/settings.ts'
import {
  listWorkspaces,
  resumeWorkspace,
  setQuota,
  showWorkspace,
  suspendWorkspace,
} from '#server/features/operating/workspaces.ts'
import { setSessionCookies } from '../exchange/cookies.ts'
import { serve, serveBytes } from '../exchange/serve.ts'
import { sendFile } from '../pages/web-files.ts'
import { clientOf } from './auth-routes.ts'

export const registerOperatorRoutes = (server: FastifyInstance, app: App): void => {
  serve(server, app, operators.openFirstLink, ({ body }) => openFirstLink(app, body.session))
  serve(server, app, operators.makeFirstOperator, async ({ body }, _who, request, reply) => {
    const started = await makeFirstOperator(app, body, clientOf(app, request))
    setSessionCookies(app, reply, started)
    return started.answer
  })
  serve(server, app, getHealth, () => checkInstallation(app))
  serve(server, app, findLoggedMails, ({ query }) => findMails(app, query))
  serve(server, app, listOperatorActions, ({ query }) => listActions(app, query))
  serve(server, app, findRoute, async ({ query }) => ({
    items: await findForOperator(app, query.q ?? ''),
  }))
  serve(server, app, mailboxes.listOperatedMailboxes, ({ query }) => listMailboxes(app, query))
  serve(server, app, mailboxes.getOperatedMailbox, ({ params }) => showMailbox(app, params.id))
  serve(server, app, settings.getInstallationSettings, () => showSettings(app))
  serve(server, app, settings.changeInstallationSettings, ({ body }, { user }) =>
    changeSettings(app, user.email, body),
  )
  registerWorkspaces(server, app)
  registerDeletions(server, app)
  registerAccounts(server, app)
  registerAlertsAndBackups(server, app)
  registerInvoices(server, app)
  registerQueue(server, app)
  registerLists(server, app)
  registerSenders(server, app)
  registerAnnouncements(server, app)
}

const registerWorkspaces = (server: FastifyInstance, app: App): void => {
  serve(server, app, workspaces.listOperatedWorkspaces, ({ query }) => listWorkspaces(app, query))
  serve(server, app, workspaces.getOperatedWorkspace, ({ params }) => showWorkspace(app, params.id))
  serve(server, app, workspaces.suspendWorkspace, ({ params, body }, { user }) =>
    suspendWorkspace(app, user.email, params.id, body.reason),
  )
  serve(server, app, workspaces.resumeWorkspace, ({ params }, { user }) =>
    resumeWorkspace(app, user.email, params.id),
  )
  serve(server, app, workspaces.setWorkspaceQuota, ({ params, body }, { user }) =>
    setQuota(app, user.email, params.id, body.quotaBytes),
  )
}

const registerDeletions = (server: FastifyInstance, app: App): void => {
  serve(server, app, deletions.previewOperatedDeletion, ({ params }) =>
    previewOperatedDeletion(app, params.id),
  )
  serve(server, app, deletions.deleteOperatedWorkspace, ({ params, body }, { user }) =>
    deleteAsOperator(app, user.email, params.id, body),
  )
}

const registerAccounts = (server: FastifyInstance, app: App): void => {
  serve(server, app, accounts.listOperatedAccounts, ({ query }) => listAccounts(app, query))
  serve(server, app, accounts.getOperatedAccount, ({ params }) => showAccount(app, params.id))
  serve(server, app, accounts.makeResetLink, async ({ params }, { user }) => {
    const { link, expiresAt } = await makeResetLink(app, user.email, params.id)
    return { link, expiresAt: expiresAt.toISOString() }
  })
  serve(server, app, accounts.endSessionsOf, async ({ params }, { user }) => ({
    message: `${await endSessions(app, user.email, params.id)} is signed out everywhere`,
  }))
  serve(server, app, resetFactorOf, async ({ params }, { user }) => ({
    message: `${await resetFactor(app, user.email, params.id)} logs in with the password alone now`,
  }))
  serve(server, app, accounts.makeAdmin, async ({ params, body }, { user }) => {
    const made = await makeAdmin(app, user.email, body.email, params.id)
    return { message: `${made.email} is an Admin of ${made.workspace}` }
  })
}

const registerInvoices = (server: FastifyInstance, app: App): void => {
  serve(server, app, invoices.listOperatedInvoices, ({ query }) => listInvoices(app, query))
  serveBytes(server, app, invoices.exportMoney, async ({ query }, _who, reply) => {
    const content = `\uFEFF${await exportMoney(app.db, query, query)}`
    const filename = `money-${query.firstMonth}-${query.lastMonth}.csv`
    return sendFile(reply, { filename, content, contentType: 'text/plain' })
  })
  serve(server, app, invoices.getOperatedInvoice, ({ params }) => showInvoice(app, params.id))
  serve(server, app, invoices.settleInvoice, ({ params, body }, { user }) =>
    settleInvoice(app, user.email, params.id, body.as),
  )
  serve(server, app, invoices.refundInvoice, ({ params, body }, { user }) =>
    giveBack(app, user.email, params.id, body),
  )
}

const registerAlertsAndBackups = (server: FastifyInstance, app: App): void => {
  serve(server, app, alerts.getAlerts, () => showAlerts(app))
  serve(server, app, alerts.sendTestAlert, async () => ({ tried: await testAlert(app) }))
  serve(server, app, backups.getBackups, () => showBackups(app))
  serve(server, app, backups.listKeptBackups, () => listKept(app))
  serve(server, app, backups.askForBackup, ({ body }, { user }) =>
    askForBackup(app, user.email, body.what),
  )
}

const registerQueue = (server: FastifyInstance, app: App): void => {
  serve(server, app, queue.listQueue, () => listQueue(app))
  serve(server, app, queue.showQueue, ({ query: { by, value, ...page } }) =>
    showQueue(app, by === undefined || value === undefined ? null : { by, value }, page),
  )
  serve(server, app, queue.changeQueue, async ({ body: { change, ...target } }, { user }) => ({
    changed: await changeQueue(app, user.email, change, target),
  }))
}

const registerLists = (server: FastifyInstance, app: App): void => {
  serve(server, app, lists.listListedSenders, ({ query }) => listListed(app, query))
  serve(server, app, lists.addListedSender, ({ body }, { user }) =>
    addListed(app, user.email, body),
  )
  serve(server, app, lists.removeListedSender, async ({ params }, { user }) => {
    const { value } = await removeFromList(app, user.email, params.id)
    return { message: `${value} is not listed any more` }
  })
}

const registerSenders = (server: FastifyInstance, app: App): void => {
  serve(server, app, senders.listOperatedSenders, ({ query }) => listSenders(app, query))
  serve(server, app, senders.stopSender, ({ body: { sender, ...how } }, { user }) =>
    stopSender(app, user.email, sender, how),
  )
  serve(server, app, senders.resumeSender, ({ body }, { user }) =>
    resumeSender(app, user.email, body.sender),
  )
}

const registerAnnouncements = (server: FastifyInstance, app: App): void => {
  serve(server, app, announcements.listMadeAnnouncements, () => listMade(app))
  serve(server, app, announcements.announce, ({ body }, { user }) =>
    announce(app, user.email, body),
  )
  serve(server, app, announcements.endAnnouncement, async ({ params }, { user }) => ({
    message: `Nobody sees it any more: ${await endAnnouncement(app, user.email, params.id)}`,
  }))
  serve(server, app, listAnnouncements, (_input, who) => announcementsFor(app, who))
  serve(server, app, dismissRoute, ({ params }, who) => dismissAnnouncement(app, who, params.id))
}
