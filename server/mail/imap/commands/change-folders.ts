/** CREATE, DELETE, RENAME, SUBSCRIBE and UNSUBSCRIBE (RFC 9051 §6.3.4 to §6.3.8). */
import { folderName } from '#contract/mail/own-folders.ts'
import { subscribe as subscribeFolder } from '#server/features/messages/by-uid/folder-states.ts'
import { renameInbox } from '#server/features/messages/by-uid/rename-inbox.ts'
import { createFolder, deleteFolder, renameFolder } from '#server/features/messages/own-folders.ts'
import { findFolder, foldersOf } from '../folders.ts'
import { DELIMITER, INBOX, specialUses } from '../named-folder.ts'
import { Refusal } from '../refusal.ts'
import { type Reader, readerOf, type Session } from '../session.ts'
import type { Named } from '../wire/command.ts'

export const create = async (
  session: Session,
  { mailbox, use }: Named<'CREATE'>,
): Promise<string> => {
  const reader = readerOf(session)
  // Each use has its folder from the beginning (RFC 6154 §3).
  if (use.length > 0) {
    const known = await folderFor(reader, use)
    throw new Refusal('USEATTR', known ? `${known} is there for this` : 'There is no such use here')
  }
  const name = await newName(reader, mailbox)
  const { _id } = await createFolder(reader.app, reader.who, reader.mailboxId, name)
  return `[MAILBOXID (${_id})] Created`
}

const folderFor = async (reader: Reader, use: readonly string[]): Promise<string | undefined> => {
  const wanted = use.map((each) => each.toLowerCase())
  const isFor = (path: string | undefined) => wanted.includes(path?.toLowerCase() ?? '')
  return (await foldersOf(reader)).find(({ role }) => isFor(specialUses[role ?? 'inbox']))?.path
}

/** A name that ends in the delimiter only says that there will be folders inside. @throws Refusal */
const newName = async (reader: Reader, mailbox: string): Promise<string> => {
  const path = mailbox.endsWith(DELIMITER) ? mailbox.slice(0, -1) : mailbox
  const isTaken = (await foldersOf(reader)).some(
    (each) => each.path.toLowerCase() === path.toLowerCase(),
  )
  if (isTaken || path.toUpperCase() === INBOX)
    throw new Refusal('ALREADYEXISTS', 'There is already a mailbox with this name')
  const read = folderName.safeParse(path)
  if (!read.success)
    throw new Refusal('CANNOT', read.error.issues[0]?.message ?? 'This name cannot be')
  // What a client names it is asked for again, letter by letter.
  if (read.data !== path) throw new Refusal('CANNOT', 'A name has no space at its ends')
  return path
}

export const remove = async (session: Session, { mailbox }: Named<'DELETE'>): Promise<string> => {
  const reader = readerOf(session)
  const folder = await findFolder(reader, mailbox)
  if (folder.role !== null) throw new Refusal('CANNOT', 'This mailbox stays')
  const { app, who, mailboxId } = reader
  if (session.view?.folderId === folder.id) session.view = null
  const { message } = await deleteFolder(app, who, mailboxId, folder.id)
  return message
}

export const rename = async (session: Session, { from, to }: Named<'RENAME'>): Promise<string> => {
  const reader = readerOf(session)
  const folder = await findFolder(reader, from)
  if (folder.role === 'inbox') {
    await renameInbox(reader.app, reader.who, reader.mailboxId, await newName(reader, to))
    return 'Its messages are there'
  }
  if (folder.role !== null) throw new Refusal('CANNOT', 'This mailbox keeps its name')
  const isSameName = from.toLowerCase() === to.toLowerCase()
  const name = isSameName ? to : await newName(reader, to)
  await renameFolder(reader.app, reader.who, reader.mailboxId, folder.id, name)
  return 'Renamed'
}

export const subscribe = async (
  session: Session,
  { name, mailbox }: Named<'SUBSCRIBE' | 'UNSUBSCRIBE'>,
): Promise<string> => {
  const reader = readerOf(session)
  const { app, who, mailboxId } = reader
  const folder = await findFolder(reader, mailbox)
  await subscribeFolder(app, who, mailboxId, folder.id, name === 'SUBSCRIBE')
  return name === 'SUBSCRIBE' ? 'Subscribed' : 'Unsubscribed'
}
