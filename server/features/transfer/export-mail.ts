/** Exports a mailbox or folder as one mbox file for a reader of it (decision 081), streamed: memory holds only a piece of one message. */
import { AppError } from '#contract/errors.ts'
import type { MailExport, makeExport as makeExportRoute } from '#contract/mail/transfer.ts'
import type { Input, Output } from '#contract/route.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { foldersOf } from '#server/features/mailboxes/folder-queries.ts'
import { findHeld, findReadable } from '#server/features/mailboxes/mailbox-queries.ts'
import { openMailbox } from '#server/features/mailboxes/open-mailbox.ts'
import { pickFolder } from '#server/features/messages/list-folders.ts'
import { secondsAfter } from '#server/lib/clock.ts'
import { isId, newId } from '#server/lib/ids.ts'
import { hashToken, randomToken } from '#server/lib/secrets.ts'
import {
  type ExportRow,
  insertExport,
  noteExport,
  readExport,
  takeExport,
} from './exports-store.ts'
import { mboxOf } from './mbox-of.ts'

const LINK_SECONDS = 60
/** Interval between progress events. */
const NOTE_MS = 500

export const makeExport = async (
  app: App,
  who: Who,
  mailboxId: string,
  form: Input<typeof makeExportRoute>['body'],
): Promise<Output<typeof makeExportRoute>> => {
  const { workspaceId, userId } = who
  await openMailbox(app, who, mailboxId)
  const folders = await foldersOf(app.db, workspaceId, mailboxId)
  const folder = form.folder === undefined ? null : pickFolder(folders, form.folder)
  const counted = folder === null ? folders : [folder]
  const token = randomToken()
  const createdAt = app.clock.now()
  const row = await insertExport(app.db, {
    ...{ id: newId(), workspaceId, mailboxId, userId, createdAt, state: 'ready' },
    folderId: folder?.id ?? null,
    tokenHash: hashToken(token),
    total: counted.reduce((sum, { messageCount }) => sum + messageCount, 0),
    expiresAt: secondsAfter(createdAt, LINK_SECONDS),
  })
  return { ...toExport(row), token }
}

export const getExport = async (
  app: App,
  who: Who,
  mailboxId: string,
  exportId: string,
): Promise<MailExport> => {
  await openMailbox(app, who, mailboxId)
  const place = { workspaceId: who.workspaceId, mailboxId }
  const row = isId(exportId) ? await readExport(app.db, place, exportId) : undefined
  if (row === undefined) throw new AppError('NOT_EXISTS')
  return toExport(row)
}

/** The person who got the link must still be a reader. @throws NOT_EXISTS, also for a used link. */
export const openExport = async (
  app: App,
  token: string,
): Promise<{ filename: string; content: AsyncGenerator<Buffer> }> => {
  const row = await takeExport(app.db, hashToken(token), app.clock.now())
  if (row === undefined) throw new AppError('NOT_EXISTS')
  const { workspaceId, mailboxId, folderId } = row
  const mailbox = await findForReader(app, row)
  if (mailbox === undefined) throw new AppError('NOT_EXISTS')
  const folders = folderId === null ? [] : await foldersOf(app.db, workspaceId, mailboxId)
  const folder = folders.find(({ id }) => id === folderId)
  const filename = [mailbox.email, folder?.name].filter(Boolean).join(' ')
  return { filename: `${filename}.mbox`, content: contentOf(app, row) }
}

/** undefined: the person does not read the mailbox any more, or is signed out because their own one is suspended. */
const findForReader = async (app: App, row: ExportRow) => {
  const mailbox = await findReadable(app.db, row, row.mailboxId, app.clock.now())
  if (mailbox === undefined || mailbox.readerId === null) return undefined
  const own = await findHeld(app.db, row.workspaceId, row.userId)
  return own?.status === 'suspended' ? undefined : mailbox
}

/** Each download costs disk and processor time. */
const MOST_AT_ONCE = 8
const MOST_OF_WORKSPACE = 2
const RETRY_SECONDS = 10
/** Workspaces with running downloads. */
const running: string[] = []

const enterRunning = (workspaceId: string): void => {
  const own = running.filter((each) => each === workspaceId).length
  if (own >= MOST_OF_WORKSPACE || running.length >= MOST_AT_ONCE)
    throw new AppError('TOO_MANY_REQUESTS', { retryAfterSeconds: RETRY_SECONDS })
  running.push(workspaceId)
}
const leaveRunning = (workspaceId: string): void => {
  running.splice(running.indexOf(workspaceId), 1)
}

/** An interrupted download is marked as failed: a part of a mailbox must not look complete. */
async function* contentOf(app: App, row: ExportRow): AsyncGenerator<Buffer> {
  let written = 0
  let notedAt = 0
  let state: ExportRow['state'] = 'failed'
  try {
    enterRunning(row.workspaceId)
  } catch (error) {
    await noteExport(app.db, row, { state })
    throw error
  }
  try {
    const messages = mboxOf(app, row, {
      onMessage: async () => {
        written += 1
        if (performance.now() - notedAt < NOTE_MS) return
        notedAt = performance.now()
        await noteExport(app.db, row, { written })
      },
      onPage: async () => {
        if ((await findForReader(app, row)) === undefined)
          throw new Error('what is exported is gone for this reader')
      },
    })
    yield* messages
    // A deleted mailbox or folder ends the download too.
    if (!(await noteExport(app.db, row, { written }))) throw new Error('what is exported is gone')
    state = 'done'
  } catch (error) {
    app.log.warn({ err: error }, 'an export broke off')
    throw error
  } finally {
    leaveRunning(row.workspaceId)
    await noteExport(app.db, row, { written, state })
  }
}

const toExport = ({ id, state, total, written }: ExportRow): MailExport => ({
  _id: id,
  state,
  total: Math.max(total, written),
  written,
})
