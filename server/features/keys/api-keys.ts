/** People make, list, change and end API keys: their own, and Admins those of the workspace (decision 120). */
import {
  type ApiKey,
  type editApiKey as editApiKeyRoute,
  type KeyKind,
  MAX_API_KEYS,
  type MadeApiKey,
  type makeApiKey as makeApiKeyRoute,
} from '#contract/developers/api-keys.ts'
import { HOLDER_SCOPES, type KeyScope } from '#contract/developers/scopes.ts'
import { AppError, invalidField } from '#contract/errors.ts'
import { memberCan } from '#contract/rights.ts'
import type { Input } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import { logRight } from '#server/features/accounts/log-in.ts'
import { mailKeyMade, mailKeyWidened } from '#server/features/accounts/notices/security-mails.ts'
import { userRows } from '#server/features/accounts/user-queries.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { domainRows } from '#server/features/domains/domain-queries.ts'
import { mailboxRows } from '#server/features/mailboxes/mailbox-queries.ts'
import { holdRight } from '#server/features/workspaces/hold-right.ts'
import { isId, newId } from '#server/lib/ids.ts'
import { inTransaction } from '#server/storage/after-commit.ts'
import type { Db } from '#server/storage/database.ts'
import { announceSessionsEnded } from '#server/storage/notifications.ts'
import { endingOf, hashApiKey, newApiKey } from './api-key-text.ts'
import {
  countKeys,
  deleteKey,
  insertKey,
  type KeyOwner,
  type KeyRow,
  lockKeys,
  readKey,
  readKeys,
  updateKey,
} from './api-keys-store.ts'

const OVER = 'This day is over'
const ONE_MAILBOX = 'A key of one mailbox has nothing of this'
const NOT_YOURS = 'Only the member who made this key can change it'

const ownerOf = ({ workspaceId, userId, role }: Who): KeyOwner => ({
  ...{ workspaceId, userId, seesWorkspaceKeys: memberCan(role, 'manage-keys') },
})

export const listApiKeys = async (app: App, who: Who): Promise<ApiKey[]> =>
  (await readKeys(app.db, ownerOf(who))).map((row) => toApiKey(row, who))

/** @throws NOT_EXISTS */
const findKey = async (app: App, who: Who, id: string): Promise<KeyRow> => {
  const row = isId(id) ? await readKey(app.db, ownerOf(who), id) : undefined
  if (!row) throw new AppError('NOT_EXISTS')
  return row
}

/** @throws NOT_EXISTS */
export const getApiKey = async (app: App, who: Who, id: string): Promise<ApiKey> =>
  toApiKey(await findKey(app, who, id), who)

/** With the role of its maker. @throws NOT_EXISTS */
export const getKeyWithRole = async (app: App, who: Who, id: string) => {
  const row = await findKey(app, who, id)
  return { ...toApiKey(row, who), role: row.role }
}

/** The key of the request. @throws NOT_EXISTS in a session */
export const getOwnKey = (app: App, who: Who): Promise<ApiKey> =>
  getApiKey(app, who, who.keyId ?? '')

/** @throws FORBIDDEN, VALIDATION, API_KEY_LIMIT */
export const makeApiKey = async (
  app: App,
  who: Who,
  form: Input<typeof makeApiKeyRoute>['body'],
): Promise<MadeApiKey> => {
  const { workspaceId, userId } = who
  const { kind, name, scopes, expiresAt = null, ips = [] } = form
  const createdAt = app.clock.now()
  const end = expiresAt === null ? null : new Date(expiresAt)
  if (end !== null && end <= createdAt) throw invalidField('expiresAt', OVER)
  const key = newApiKey()
  const secretHash = hashApiKey(key)
  if (secretHash === null) throw new Error('a new key has not the form of one')
  const id = newId(createdAt.getTime())
  const row = await inTransaction(app, async (tx) => {
    await holdMaker(tx, who, form)
    await lockKeys(tx, workspaceId)
    if ((await countKeys(tx, { workspaceId, userId, kind })) >= MAX_API_KEYS)
      throw new AppError('API_KEY_LIMIT')
    const reach = await reachOf(tx, who, form)
    const times = { createdAt, expiresAt: end }
    await insertKey(tx, {
      ...{ id, workspaceId, userId, kind, name, secretHash, ending: endingOf(key), scopes, ips },
      ofHolder: who.role === 'Holder',
      ...{ ...reach, ...times, lastUsedAt: null, lastUsedIp: null },
    })
    logRight(app, tx, who, keyRight(id, 'made', userId))
    const maker = await userRows(tx).where('id', '=', userId).executeTakeFirstOrThrow()
    await mailKeyMade(app, tx, maker, name, who.sessionId)
    return readKey(tx, ownerOf(who), id)
  })
  if (!row) throw new Error('a new key is not there')
  return { ...toApiKey(row, who), key }
}

type Scoped = Narrowing & { kind: KeyKind; scopes?: readonly KeyScope[] | undefined }

/**
 * The caller, who may make a key of this kind and goes on to exist until the transaction ends. A holder has one mailbox, which is not
 * narrowed any more, and what is said of one.
 * @throws FORBIDDEN, VALIDATION
 */
const holdMaker = async (tx: Db, who: Who, { kind, scopes = [], domains, mailboxes }: Scoped) => {
  if (who.role !== 'Holder')
    return holdRight(tx, who, kind === 'workspace' ? 'manage-keys' : 'see-workspace')
  const held = await userRows(tx).where('id', '=', who.userId).forKeyShare().executeTakeFirst()
  if (!held || kind === 'workspace') throw new AppError('FORBIDDEN')
  if (scopes.some((scope) => !HOLDER_SCOPES.includes(scope)))
    throw invalidField('scopes', ONE_MAILBOX)
  if (domains) throw invalidField('domains', ONE_MAILBOX)
  if (mailboxes) throw invalidField('mailboxes', ONE_MAILBOX)
}

/**
 * What is left out stays. A key that may do more than before is mailed to its maker, as a new one is: it is one in effect.
 * @throws NOT_EXISTS, FORBIDDEN for a key of another member, VALIDATION
 */
export const editApiKey = async (
  app: App,
  who: Who,
  id: string,
  change: Input<typeof editApiKeyRoute>['body'],
): Promise<ApiKey> => {
  const row = await findKey(app, who, id)
  if (row.userId !== who.userId) throw new AppError('FORBIDDEN', { message: NOT_YOURS })
  const { domains = row.domainIds, mailboxes = row.mailboxIds } = change
  const { name = row.name, ips = row.ips, scopes = row.scopes } = change
  const expiresAt = endOf(change.expiresAt, row.expiresAt)
  // A key that has ended stays so until it gets another day.
  if (expiresAt !== null && expiresAt <= app.clock.now() && change.expiresAt !== undefined)
    throw invalidField('expiresAt', OVER)
  await inTransaction(app, async (tx) => {
    await holdMaker(tx, who, { ...change, kind: row.kind })
    const reach = await reachOf(tx, who, { domains, mailboxes }, row)
    const after = { name, ips, scopes, expiresAt, ...reach }
    await updateKey(tx, row, after)
    // Streams hear of what the key reaches from now on.
    await announceSessionsEnded(tx)
    logRight(app, tx, who, keyRight(row.id, 'changed', row.userId))
    if (!isMore(after, row)) return
    const maker = await userRows(tx).where('id', '=', row.userId).executeTakeFirstOrThrow()
    await mailKeyWidened(app, tx, maker, name, who.sessionId)
  })
  return getApiKey(app, who, id)
}

const endOf = (given: string | null | undefined, before: Date | null): Date | null => {
  if (given === undefined) return before
  return given === null ? null : new Date(given)
}

type Limits = Pick<KeyRow, 'scopes' | 'domainIds' | 'mailboxIds' | 'ips' | 'expiresAt'>

/** Whether the key may do something that it could not do before. Networks are compared as they are written. */
export const isMore = (after: Limits, before: Limits): boolean => {
  const isNarrowed = ({ domainIds, mailboxIds }: Limits) =>
    domainIds !== null || mailboxIds !== null
  const reaches = ({ domainIds, mailboxIds }: Limits) => [
    ...(domainIds ?? []),
    ...(mailboxIds ?? []),
  ]
  return (
    without(after.scopes, before.scopes).length > 0 ||
    (isNarrowed(before) &&
      (!isNarrowed(after) || without(reaches(after), reaches(before)).length > 0)) ||
    (before.ips.length > 0 &&
      (after.ips.length === 0 || without(after.ips, before.ips).length > 0)) ||
    (before.expiresAt !== null && (after.expiresAt === null || after.expiresAt > before.expiresAt))
  )
}

/** @throws NOT_EXISTS */
export const endApiKey = async (app: App, who: Who, id: string): Promise<void> => {
  const row = await findKey(app, who, id)
  await inTransaction(app, async (tx) => {
    await deleteKey(tx, row)
    await announceSessionsEnded(tx)
    logRight(app, tx, who, keyRight(row.id, 'ended', row.userId))
  })
}

const keyRight = (objectId: string, change: 'made' | 'changed' | 'ended', whose: string) => ({
  ...{ what: 'api-key' as const, objectId, change, whose },
})

type Narrowing = { domains?: string[] | null | undefined; mailboxes?: string[] | null | undefined }
type Reached = Pick<KeyRow, 'domainIds' | 'mailboxIds'>

/** `before`: what it names already may be gone by now. @throws VALIDATION where the workspace has no such domain or mailbox */
const reachOf = async (
  tx: Db,
  { workspaceId }: Who,
  { domains = null, mailboxes = null }: Narrowing,
  before: Reached = { domainIds: null, mailboxIds: null },
): Promise<Reached> => {
  const domainIds = lowerCase(domains)
  const mailboxIds = lowerCase(mailboxes)
  const newDomains = without(domainIds, before.domainIds)
  const newMailboxes = without(mailboxIds, before.mailboxIds)
  const knownDomains =
    newDomains.length === 0
      ? []
      : await domainRows(tx)
          .where('workspaceId', '=', workspaceId)
          .where('id', 'in', newDomains)
          .execute()
  if (knownDomains.length < newDomains.length) throw invalidField('domains', NOT_HERE)
  const knownMailboxes =
    newMailboxes.length === 0
      ? []
      : await mailboxRows(tx)
          .where('workspaceId', '=', workspaceId)
          .where('id', 'in', newMailboxes)
          .execute()
  if (knownMailboxes.length < newMailboxes.length) throw invalidField('mailboxes', NOT_HERE)
  return { domainIds, mailboxIds }
}

const NOT_HERE = 'One of these is not in your workspace'

const lowerCase = (ids: readonly string[] | null): string[] | null =>
  ids && [...new Set(ids.map((id) => id.toLowerCase()))]
const without = (ids: readonly string[] | null, known: readonly string[] | null): string[] =>
  (ids ?? []).filter((id) => !known?.includes(id))

const toApiKey = (row: KeyRow, { userId }: Pick<Who, 'userId'>): ApiKey => ({
  _id: row.id,
  kind: row.kind,
  name: row.name,
  ending: row.ending,
  scopes: row.scopes,
  domains: row.domainIds,
  mailboxes: row.mailboxIds,
  ips: row.ips,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt?.toISOString() ?? null,
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  lastUsedIp: row.lastUsedIp,
  madeBy: {
    ...{ _id: row.userId, name: `${row.firstName} ${row.lastName}`.trim() },
    isYou: row.userId === userId,
  },
})
