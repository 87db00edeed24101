/** How what a change is about is called, in its workspace; deleted or not. */

import { userRows } from '#server/features/accounts/user-queries.ts'
import { findOpenLink } from '#server/features/checks/link-queries.ts'
import { domainRows } from '#server/features/domains/domain-queries.ts'
import { apiKeyRows } from '#server/features/keys/key-queries.ts'
import { aliasRows, mailboxRows } from '#server/features/mailboxes/mailbox-queries.ts'
import { appPasswordRows } from '#server/features/programs/program-queries.ts'
import { memberRows, workspaceRows } from '#server/features/tenants/workspace-queries.ts'
import { webhookRows } from '#server/features/webhooks/event-queries.ts'
import { findOpenInvitation } from '#server/features/workspaces/invitation-queries.ts'
import type { Db } from '#server/storage/database.ts'

/** `facts`: what is said of it when it differs after the change. */
export type Named = { id: string; name: string; facts: Record<string, string> }

export type Asked = { workspaceId: string; ids: string[]; now: Date }

type FindNames = (db: Db, asked: Asked) => Promise<Named[]>

const mailboxes: FindNames = async (db, { workspaceId, ids }) => {
  const rows = await mailboxRows(db)
    .where('workspaceId', '=', workspaceId)
    .where('id', 'in', ids)
    .orderBy('email')
    .execute()
  return rows.map(({ id, email, status, firstName, lastName, displayName }) => ({
    ...{ id, name: email },
    facts: { status, firstName, lastName, displayName: displayName ?? '' },
  }))
}

const domains: FindNames = async (db, { workspaceId, ids }) => {
  const rows = await domainRows(db)
    .where('workspaceId', '=', workspaceId)
    .where('id', 'in', ids)
    .orderBy('name')
    .execute()
  return rows.map(({ id, name }) => ({ id, name, facts: {} }))
}

/** Members, and holders of its mailboxes. */
const people: FindNames = async (db, { workspaceId, ids }) => {
  const rows = await db
    .selectFrom(userRows(db).as('u'))
    .leftJoin(memberRows(db).where('workspaceId', '=', workspaceId).as('m'), 'm.userId', 'u.id')
    .leftJoin(mailboxRows(db).as('held'), 'held.id', 'u.mailboxId')
    .select(['u.id', 'u.email', 'm.role'])
    .where('u.id', 'in', ids)
    .where((is) => is.or([is('m.role', 'is not', null), is('held.workspaceId', '=', workspaceId)]))
    .execute()
  return rows.map(({ id, email, role }) => ({ id, name: email, facts: role ? { role } : {} }))
}

const workspaces: FindNames = async (db, { ids }) => {
  const rows = await workspaceRows(db).where('id', 'in', ids).execute()
  return rows.map(({ id, name }) => ({ id, name, facts: {} }))
}

const deleted: FindNames = async (db, asked) => {
  const isOfWorkspace = asked.ids.includes(asked.workspaceId)
  if (isOfWorkspace) return workspaces(db, asked)
  return [...(await domains(db, asked)), ...(await mailboxes(db, asked))]
}

const invitations: FindNames = async (db, { workspaceId, ids: [id = ''] }) => {
  const row = await findOpenInvitation(db, workspaceId, id)
  return row ? [{ id, name: row.email, facts: { role: row.role } }] : []
}

const dnsLinks: FindNames = async (db, { workspaceId, ids: [id = ''], now }) => {
  const row = await findOpenLink(db, { workspaceId, now }, id)
  return row
    ? [{ id, name: (row.domains ?? []).map(({ name }) => name).join(', '), facts: {} }]
    : []
}

const aliases: FindNames = async (db, { workspaceId, ids }) => {
  const rows = await aliasRows(db)
    .where('workspaceId', '=', workspaceId)
    .where('id', 'in', ids)
    .execute()
  return rows.map(({ id, email }) => ({ id, name: email, facts: {} }))
}

const appPasswords: FindNames = async (db, { workspaceId, ids }) => {
  const rows = await appPasswordRows(db)
    .where('workspaceId', '=', workspaceId)
    .where('id', 'in', ids)
    .execute()
  return rows.map(({ id, name }) => ({ id, name, facts: {} }))
}

const apiKeys: FindNames = async (db, { workspaceId, ids }) => {
  const rows = await apiKeyRows(db)
    .where('workspaceId', '=', workspaceId)
    .where('id', 'in', ids)
    .execute()
  return rows.map(({ id, name }) => ({ id, name, facts: {} }))
}

const webhooks: FindNames = async (db, { workspaceId, ids }) => {
  const rows = await webhookRows(db)
    .where('workspaceId', '=', workspaceId)
    .where('id', 'in', ids)
    .execute()
  return rows.map(({ id, url }) => ({ id, name: url, facts: {} }))
}

const nameless: FindNames = async () => []

/** By the part of a path before the id. A new one says here how its objects are called. */
export const nameFinders: Record<string, FindNames> = {
  mailboxes,
  domains,
  'domain-ownership': domains,
  members: people,
  readers: people,
  workspaces,
  deleted,
  invitations,
  'dns-links': dnsLinks,
  aliases,
  'app-passwords': appPasswords,
  'api-keys': apiKeys,
  webhooks,
  attempts: nameless,
  'workspace-exports': nameless,
}
