/**
 * Makes the archives that Admins asked for, one at a time in each process. An archive that was broken off is made anew by whoever
 * finds it: a file that is half there is never offered.
 */
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { EXPORT_DAYS } from '#contract/mail/workspace-exports.ts'
import type { App } from '#server/app.ts'
import { storedBytes } from '#server/features/mailboxes/deleted-queries.ts'
import { sendSystemMail } from '#server/features/outbox/send-system-mail.ts'
import type { Mail } from '#server/features/outbox/system-mail.ts'
import { readWorkspace } from '#server/features/tenants/workspace-queries.ts'
import { findMember } from '#server/features/workspaces/member-queries.ts'
import { DAY_SECONDS, HOUR_SECONDS, secondsAfter } from '#server/lib/clock.ts'
import { isId } from '#server/lib/ids.ts'
import { afterCommit, inTransaction } from '#server/storage/after-commit.ts'
import type { Db } from '#server/storage/database.ts'
import { announceChange } from '#server/storage/notifications.ts'
import {
  archivesBefore,
  filesBefore,
  finishFile,
  isPart,
  partOf,
  removeFile,
  roomFor,
} from './export-files.ts'
import { doneMail, failedMail } from './export-mails.ts'
import {
  changeExport,
  claimExport,
  deleteExpired,
  deleteOthers,
  type ExportRow,
  knownExports,
} from './exports-store.ts'
import { workspaceArchive } from './workspace-archive.ts'

const LEASE_SECONDS = 120
const MOST_TRIES = 3
/** Between two looks at the progress and the disk. */
const NOTE_MS = 1_000

/** It was deleted, or this process ends: another try is somebody else's. */
class BrokenOff extends Error {}
/** Tried again it would fail again; the message is for its Admins. */
class Impossible extends Error {}

const NO_ROOM = 'The disk of this server has no room for it. Ask the operator of this installation'
const FAILED = 'It failed several times. The log of the server says why'

/** For a loop. */
export const runExports = async (app: App, isClosing: () => boolean = () => false) => {
  while (!isClosing()) {
    const now = app.clock.now()
    const row = await claimExport(app.db, now, secondsAfter(now, LEASE_SECONDS))
    if (row === undefined) return
    await makeOne(app, row, isClosing)
  }
}

const makeOne = async (app: App, row: ExportRow, isClosing: () => boolean): Promise<void> => {
  // A process that is killed tells nothing of its try.
  if (row.tries > MOST_TRIES) return fail(app, row, FAILED)
  const part = await partOf(app.config, row.id, row.tries)
  try {
    await write(app, row, part, isClosing)
    await finish(app, row, await finishFile(app.config, { id: row.id, part }, () => hold(app, row)))
  } catch (error) {
    await rm(part, { force: true })
    if (error instanceof BrokenOff) {
      // It was no failure.
      await changeExport(app.db, row, { claimedUntil: null, tries: row.tries - 1 })
      return
    }
    const isOver = error instanceof Impossible || row.tries >= MOST_TRIES
    if (isOver) await fail(app, row, error instanceof Impossible ? error.message : FAILED)
    if (!(error instanceof Impossible)) throw error
  }
}

const write = async (
  app: App,
  row: ExportRow,
  part: string,
  isClosing: () => boolean,
): Promise<void> => {
  const { workspaceId, askedBy: madeBy } = row
  if ((await roomFor(app.config)) < (await storedBytes(app.db, workspaceId)))
    throw new Impossible(NO_ROOM)
  const { name } = await readWorkspace(app.db, workspaceId)
  let written = 0
  let notedAt = 0
  const watch = async () => {
    if (performance.now() - notedAt < NOTE_MS) return
    notedAt = performance.now()
    if (isClosing()) throw new BrokenOff()
    if ((await roomFor(app.config)) < 0) throw new Impossible(NO_ROOM)
    const claimedUntil = secondsAfter(app.clock.now(), LEASE_SECONDS)
    if (!(await changeExport(app.db, row, { written, claimedUntil }))) throw new BrokenOff()
  }
  const archive = workspaceArchive(app, { workspaceId, name, madeBy }, async () => {
    written += 1
    await watch()
  })
  const watched = async function* () {
    for await (const piece of archive) {
      await watch()
      yield piece
    }
  }
  await pipeline(watched, createWriteStream(part, { mode: 0o600, flush: true }))
  if (!(await changeExport(app.db, row, { written }))) throw new BrokenOff()
}

/** Another process makes it anew when nothing is heard for long. @throws BrokenOff */
const hold = async (app: App, row: ExportRow): Promise<void> => {
  const claimedUntil = secondsAfter(app.clock.now(), LEASE_SECONDS)
  if (!(await changeExport(app.db, row, { claimedUntil }))) throw new BrokenOff()
}

const finish = (app: App, row: ExportRow, sizeBytes: number): Promise<void> => {
  const endedAt = app.clock.now()
  const change = {
    ...{ state: 'done' as const, sizeBytes, endedAt, claimedUntil: null },
    expiresAt: secondsAfter(endedAt, EXPORT_DAYS * DAY_SECONDS),
  }
  return end(app, row, change, async (tx) => {
    const others = await deleteOthers(tx, row)
    afterCommit(tx, () => Promise.all(others.map((id) => removeFile(app.config, id))))
    return (name) => doneMail(app, name)
  })
}

const fail = (app: App, row: ExportRow, reason: string): Promise<void> => {
  const endedAt = app.clock.now()
  const change = {
    ...{ state: 'failed' as const, reason, endedAt, claimedUntil: null },
    expiresAt: secondsAfter(endedAt, EXPORT_DAYS * DAY_SECONDS),
  }
  return end(app, row, change, async () => (name) => failedMail(app, name, `${reason}.`))
}

/** Whoever asked is mailed, unless they have left. */
const end = (
  app: App,
  row: ExportRow,
  change: Parameters<typeof changeExport>[2],
  also: (tx: Db) => Promise<(name: string) => Mail>,
): Promise<void> =>
  inTransaction(app, async (tx) => {
    if (!(await changeExport(tx, row, change))) return
    const mail = await also(tx)
    const { workspaceId, userId } = row
    const asker = userId === null ? undefined : await findMember(tx, workspaceId, userId)
    const { name } = await readWorkspace(tx, workspaceId)
    if (asker !== undefined) await sendSystemMail(app, tx, { to: asker.email, ...mail(name) })
    await announceChange(tx, { topic: 'workspaces', workspaceId })
  })

/**
 * Deletes files after their time. An hour after their last byte it also deletes those without a row, whose workspace ended, and the
 * parts of tries that were killed.
 */
export const purgeExports = async (app: App): Promise<void> => {
  const now = app.clock.now()
  for (const id of await deleteExpired(app.db, now)) await removeFile(app.config, id)
  const before = secondsAfter(now, -HOUR_SECONDS)
  const [files, archives] = [
    await filesBefore(app.config, before),
    await archivesBefore(app.config, before),
  ]
  const ids = [...files.map(({ id }) => id), ...archives].filter(isId)
  const known = await knownExports(app.db, ids)
  for (const { id, path } of files)
    if (!known.has(id) || isPart(path)) await rm(path, { force: true })
  for (const id of archives) if (!known.has(id)) await removeFile(app.config, id)
}
