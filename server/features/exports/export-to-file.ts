/** For operators: everything of a workspace as a file on this machine. Its Admins are told, and each mailbox's access log says so. */
import { createWriteStream } from 'node:fs'
import { link, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import {
  noteAction,
  type Operator,
  type OperatorApp,
  type Receipt,
} from '#server/features/operators/operators.ts'
import { workspaceNamed } from '#server/features/outbox/system-mail.ts'
import { workspaceRows } from '#server/features/tenants/workspace-queries.ts'
import { adminEmails } from '#server/features/workspaces/member-emails.ts'
import { newId } from '#server/lib/ids.ts'
import { reasonOf, StartError } from '#server/lib/ports/bound-ports.ts'
import { uniqueNames } from '#server/standards/zip-file.ts'
import { syncFolder } from '#server/storage/blobs/blobs.ts'
import { archiveName } from './ask-export.ts'
import { logExport } from './log-export.ts'
import { type ArchiveApp, workspaceArchive } from './workspace-archive.ts'

type App = OperatorApp & ArchiveApp

/** `where`: a file that is not there yet, or a folder. @throws StartError; then no file is left */
export const exportWorkspaceTo = async (
  app: App,
  operator: Operator,
  workspaceId: string,
  where: string,
): Promise<{ name: string; path: string; bytes: number; messages: number }> => {
  const { name } = await workspaceRows(app.db)
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  const at = app.clock.now()
  const path = await fileIn(where, archiveName(name, at))
  // Said before the first byte is read: an export that fails on its way has read mail, too.
  await app.db.transaction().execute(async (tx) => {
    const actor = `The operator (${operator})`
    await logExport(tx, { workspaceId, actor, reason: '', at })
    const receipt = receiptOf(name, await adminEmails(tx, workspaceId))
    const action = { verb: 'workspace export', workspaceId, subject: name } as const
    await noteAction(tx, at, operator, { ...action, detail: basename(path), receipt })
  })
  let messages = 0
  const archive = workspaceArchive(app, { workspaceId, name, madeBy: operator }, async () => {
    messages += 1
  })
  const bytes = await writeNew(path, archive)
  return { name, path, bytes, messages }
}

const receiptOf = (name: string, recipients: string[]): Receipt => ({
  subject: 'Everything in your Mailstead workspace was exported by the operator',
  lines: [
    `The operator of this installation made one file of everything in ${workspaceNamed(name)}, with the mail of every mailbox.`,
    'The access log of each mailbox says so, too. If you did not ask for it, ask the operator why.',
  ],
  recipients,
})

const fileIn = async (where: string, name: string): Promise<string> => {
  const path = resolve(where)
  const found = await stat(path).catch(() => null)
  if (found === null) return path
  if (!found.isDirectory())
    throw new StartError(`${path} is there already. Please name another file, or a folder.`)
  return join(path, uniqueNames([name])[0] ?? name)
}

/** Nothing is written over, and a file that is half there has another name. */
const writeNew = async (path: string, content: AsyncIterable<Buffer>): Promise<number> => {
  const part = `${path}.${newId()}.part`
  try {
    await pipeline(content, createWriteStream(part, { mode: 0o600, flags: 'wx', flush: true }))
    await link(part, path)
    await syncFolder(dirname(path))
    return (await stat(path)).size
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'EEXIST')
      throw new StartError(`${path} is there already. Please name another file.`)
    if (['EACCES', 'ENOENT', 'ENOSPC', 'EROFS', 'EPERM', 'ENOTDIR'].includes(String(code)))
      throw new StartError(`${path} cannot be written: ${reasonOf(error)}.`)
    throw error
  } finally {
    await rm(part, { force: true })
  }
}

/** `where`: a file that is not there yet, or a folder, where it gets this name. @throws StartError */
export const writeFileIn = async (
  where: string,
  name: string,
  content: AsyncIterable<Buffer>,
): Promise<{ path: string; bytes: number }> => {
  const path = await fileIn(where, name)
  return { path, bytes: await writeNew(path, content) }
}
