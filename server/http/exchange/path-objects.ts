/**
 * Whether what a path names is there and the caller's, asked before a byte of the body is read. Features ask again, behind
 * their locks: this one saves the work for bodies that are for nothing (decision 039).
 */
import type { Access, Route } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { requireLink } from '#server/features/checks/mail-link.ts'
import { getDomain } from '#server/features/domains/find-domain.ts'
import { openSettings } from '#server/features/mailboxes/mailbox-settings.ts'
import { openMailbox } from '#server/features/mailboxes/open-mailbox.ts'
import { getMailbox } from '#server/features/mailboxes/read-mailboxes.ts'
import { requireMessage } from '#server/features/messages/get-message.ts'
import { requireOwnFolder } from '#server/features/messages/own-folders.ts'
import { findImport } from '#server/features/transfer/edit-imports.ts'
import { requireMember } from '#server/features/workspaces/change-members.ts'
import { ownWorkspace } from '#server/features/workspaces/own-workspace.ts'

type Params = Record<string, string>
/** @throws NOT_EXISTS, FORBIDDEN */
export type RequireObject = (who: Who, params: Params) => Promise<unknown>
type Requirement = (app: App, who: Who, params: Params, access: Access) => Promise<unknown>

const mailbox: Requirement = (app, who, { id = '' }, access) =>
  access === 'open-mailboxes' ? openMailbox(app, who, id) : getMailbox(app, who, id)
const settings: Requirement = (app, who, { id = '' }) => openSettings(app, who, id)

/** By the beginning of the path; the longest that fits is asked. */
const requirements: Record<string, Requirement> = {
  '/mailboxes/{id}': mailbox,
  '/mailboxes/{id}/settings': settings,
  '/mailboxes/{id}/vacation': settings,
  '/mailboxes/{id}/messages/{messageId}': (app, who, { id = '', messageId = '' }) =>
    requireMessage(app, who, id, messageId),
  '/mailboxes/{id}/folders/{folderId}': (app, who, { id = '', folderId = '' }) =>
    requireOwnFolder(app, who, id, folderId),
  '/mailboxes/{id}/imports/{importId}': (app, who, { id = '', importId = '' }) =>
    findImport(app, who, id, importId),
  '/domains/{id}': (app, who, { id = '' }) => getDomain(app, who, id),
  '/dns-links/{id}': (app, who, { id = '' }) => requireLink(app, who, id),
  '/members/{id}': (app, who, { id = '' }) => requireMember(app, who, id),
  '/workspaces/{id}': (app, { userId }, { id = '' }) => ownWorkspace(app.db, userId, id),
}

/** null for a route whose path names nothing, or that takes no body. A path that nobody can look up ends the start. */
export const objectOf = (app: App, route: Route): RequireObject | null => {
  if (!takesBody(route) || !route.path.includes('{')) return null
  const [longest] = Object.keys(requirements)
    .filter((begin) => `${route.path}/`.startsWith(`${begin}/`))
    .toSorted((a, b) => b.length - a.length)
  const requirement = longest === undefined ? undefined : requirements[longest]
  if (requirement === undefined)
    throw new Error(`what ${route.method} ${route.path} names is looked up nowhere before its body`)
  return (who, params) => requirement(app, who, params, route.access)
}

export const takesBody = (route: Route): boolean =>
  route.body !== undefined || route.takesBytes === true
