/** The imports of a mailbox: listed, resumed and cancelled by its readers. */
import { AppError } from '#contract/errors.ts'
import type { MailImport } from '#contract/mail/transfer.ts'
import type { App } from '#server/app.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { openMailbox } from '#server/features/mailboxes/open-mailbox.ts'
import { isId } from '#server/lib/ids.ts'
import {
  changeImport,
  deleteChunks,
  type ImportRow,
  latestImports,
  lockImport,
  type Place,
  readFaults,
  readImport,
} from './imports-store.ts'

export const listImports = async (app: App, who: Who, mailboxId: string): Promise<MailImport[]> => {
  await openMailbox(app, who, mailboxId)
  return toImports(app, await latestImports(app.db, { workspaceId: who.workspaceId, mailboxId }))
}

/** @throws NOT_EXISTS */
export const findImport = async (
  app: App,
  who: Who,
  mailboxId: string,
  importId: string,
): Promise<{ place: Place; row: ImportRow }> => {
  await openMailbox(app, who, mailboxId)
  const place = { workspaceId: who.workspaceId, mailboxId }
  const row = isId(importId) ? await readImport(app.db, place, importId) : undefined
  if (row === undefined) throw new AppError('NOT_EXISTS')
  return { place, row }
}

/** An import that was not stopped stays as it is. */
export const resumeImport = (app: App, who: Who, mailboxId: string, importId: string) =>
  change(app, who, mailboxId, importId, async (row, set) =>
    row.state === 'stopped'
      ? set({ state: 'running', reason: '', touchedAt: app.clock.now(), claimedUntil: null })
      : row,
  )

/** Filed messages stay; a finished import stays as it is. */
export const cancelImport = (app: App, who: Who, mailboxId: string, importId: string) =>
  change(app, who, mailboxId, importId, async (row, set) =>
    row.state === 'done' || row.state === 'cancelled' ? row : set({ state: 'cancelled' }),
  )

type SetRow = (change: Parameters<typeof changeImport>[2]) => Promise<ImportRow>

const change = async (
  app: App,
  who: Who,
  mailboxId: string,
  importId: string,
  decide: (row: ImportRow, set: SetRow) => Promise<ImportRow>,
): Promise<MailImport> => {
  const { place } = await findImport(app, who, mailboxId, importId)
  const saved = await app.db.transaction().execute(async (tx) => {
    const locked = await lockImport(tx, place, importId)
    if (locked === undefined) throw new AppError('NOT_EXISTS')
    const touchedAt = app.clock.now()
    const row = await decide(locked, (set) => changeImport(tx, locked, { ...set, touchedAt }))
    if (row.state === 'cancelled') await deleteChunks(tx, row)
    return row
  })
  return toImport(app, saved)
}

export const toImport = async (app: App, row: ImportRow): Promise<MailImport> => {
  const [shown] = await toImports(app, [row])
  return shown as MailImport
}

const toImports = async (app: App, rows: readonly ImportRow[]): Promise<MailImport[]> => {
  const [first] = rows
  if (first === undefined) return []
  const ids = rows.map(({ id }) => id)
  const faults = await readFaults(app.db, first.workspaceId, ids)
  return rows.map(
    ({ id, filename, fingerprint, state, reason, filed, skipped, failed, ...row }) => ({
      ...{ _id: id, filename, fingerprint, state, reason, filed, skipped, failed },
      size: row.sizeBytes,
      received: row.receivedBytes,
      read: row.readBytes,
      faults: faults
        .filter(({ importId }) => importId === id)
        .map(({ n, subject, reason: why }) => ({ n, subject, reason: why })),
      createdAt: row.createdAt.toISOString(),
    }),
  )
}
