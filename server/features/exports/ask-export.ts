/** Admins ask for an archive of their workspace, see how far it is, and fetch it. A worker makes it (`run-exports.ts`). */
import { AppError } from '#contract/errors.ts'
import {
  type askWorkspaceExport,
  EXPORTS_A_DAY,
  type WorkspaceExport,
} from '#contract/mail/workspace-exports.ts'
import { memberCan } from '#contract/rights.ts'
import type { Input } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import { confirmPassword } from '#server/features/accounts/change-password.ts'
import { logRight } from '#server/features/accounts/log-in.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { tryThrottleIn } from '#server/features/limits/throttle.ts'
import { storedMessages } from '#server/features/mailboxes/deleted-queries.ts'
import { mailAdmins } from '#server/features/ownership/ownership-mails.ts'
import { readWorkspace } from '#server/features/tenants/workspace-queries.ts'
import { holdRight } from '#server/features/workspaces/hold-right.ts'
import { personOf } from '#server/features/workspaces/member-emails.ts'
import { findMember } from '#server/features/workspaces/member-queries.ts'
import { DAY_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { isId, newId } from '#server/lib/ids.ts'
import { hashToken, randomToken } from '#server/lib/secrets.ts'
import { inTransaction } from '#server/storage/after-commit.ts'
import { announceChange } from '#server/storage/notifications.ts'
import { openFile, removeFile } from './export-files.ts'
import { askedMail } from './export-mails.ts'
import {
  changeExport,
  deleteExport,
  type ExportRow,
  insertExport,
  readExports,
  spendLink,
} from './exports-store.ts'
import { logExport } from './log-export.ts'

const LINK_SECONDS = 60

/** @throws FORBIDDEN, VALIDATION on `password`, TOO_MANY_REQUESTS, EXPORT_OPEN */
export const askForExport = async (
  app: App,
  who: Who,
  { password }: Input<typeof askWorkspaceExport>['body'],
): Promise<WorkspaceExport> => {
  await confirmPassword(app, who, password, 'password')
  const { workspaceId, userId } = who
  return inTransaction(app, async (tx) => {
    await holdRight(tx, who, 'export-workspace')
    const member = await findMember(tx, workspaceId, userId)
    if (member === undefined) throw new AppError('FORBIDDEN')
    const limit = { limit: EXPORTS_A_DAY, windowSeconds: DAY_SECONDS }
    if (!(await tryThrottleIn(app, tx, `workspace-export:${workspaceId}`, limit)))
      throw new AppError('TOO_MANY_REQUESTS')
    const askedBy = personOf(member)
    const createdAt = app.clock.now()
    const own = { id: newId(createdAt.getTime()), workspaceId, userId, askedBy, createdAt }
    const messages = await storedMessages(tx, workspaceId)
    const row = await insertExport(tx, { ...own, state: 'waiting', messages })
    if (row === undefined) throw new AppError('EXPORT_OPEN')
    const { name } = await readWorkspace(tx, workspaceId)
    await logExport(tx, { workspaceId, actor: askedBy, reason: '', at: createdAt })
    await mailAdmins(app, tx, workspaceId, askedMail(app, { name, askedBy }), member.email)
    await announceChange(tx, { topic: 'workspaces', workspaceId })
    logRight(app, tx, who, {
      ...{ what: 'workspace', objectId: workspaceId, change: 'exported', whose: '' },
    })
    return toExport(row)
  })
}

export const listExports = async (app: App, { workspaceId }: Who): Promise<WorkspaceExport[]> =>
  (await readExports(app.db, workspaceId)).map(toExport)

/** @throws NOT_EXISTS */
export const removeExport = async (app: App, who: Who, id: string): Promise<void> => {
  const { workspaceId } = who
  if (!isId(id) || !(await deleteExport(app.db, workspaceId, id))) throw new AppError('NOT_EXISTS')
  await removeFile(app.config, id.toLowerCase())
  await announceChange(app.db, { topic: 'workspaces', workspaceId })
}

/** @throws NOT_EXISTS, also for one without a file */
export const linkToExport = async (
  app: App,
  { workspaceId, userId }: Who,
  id: string,
): Promise<{ token: string }> => {
  const now = app.clock.now()
  const row = (await readExports(app.db, workspaceId)).find((each) => each.id === id.toLowerCase())
  if (row === undefined || !hasFile(row, now)) throw new AppError('NOT_EXISTS')
  const token = randomToken()
  await changeExport(app.db, row, {
    ...{ tokenHash: hashToken(token), tokenExpiresAt: secondsAfter(now, LINK_SECONDS), userId },
  })
  return { token }
}

const hasFile = ({ state, expiresAt }: ExportRow, now: Date): boolean =>
  state === 'done' && expiresAt !== null && expiresAt > now

/** Whoever got the link must still be an Admin. @throws NOT_EXISTS, also for a used link */
export const openExportFile = async (app: App, token: string) => {
  const row = await spendLink(app.db, hashToken(token), app.clock.now())
  const userId = row?.userId ?? null
  if (row === undefined || userId === null) throw new AppError('NOT_EXISTS')
  const member = await findMember(app.db, row.workspaceId, userId)
  if (member === undefined || !memberCan(member.role, 'export-workspace'))
    throw new AppError('NOT_EXISTS')
  const { name } = await readWorkspace(app.db, row.workspaceId)
  const content = await openFile(app.config, row.id)
  if (content === null) throw new AppError('NOT_EXISTS')
  return { content, filename: archiveName(name, row.createdAt) }
}

/** Of a workspace, or an account: 'Engines 2026-11-27.zip' */
export const archiveName = (name: string, at: Date): string =>
  `${name} ${at.toISOString().slice(0, 10)}.zip`

const toExport = (row: ExportRow): WorkspaceExport => ({
  ...{ _id: row.id, state: row.state, askedBy: row.askedBy, reason: row.reason },
  createdAt: row.createdAt.toISOString(),
  messages: Math.max(row.messages, row.written),
  ...{ written: row.written, size: row.sizeBytes },
  expiresAt: row.expiresAt?.toISOString() ?? null,
})
