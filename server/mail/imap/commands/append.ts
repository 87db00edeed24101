/** APPEND and REPLACE (RFC 9051 §6.3.12, RFC 8508). */
import { appendMessages } from '#server/features/messages/by-uid/append-messages.ts'
import { changeFlags } from '#server/features/messages/by-uid/change-flags.ts'
import { expunge } from '#server/features/messages/by-uid/place-messages.ts'
import { findFolder } from '../folders.ts'
import type { NamedFolder } from '../named-folder.ts'
import { Refusal } from '../refusal.ts'
import { type Reader, readerOf, type Session, writableOf } from '../session.ts'
import { tellGone } from '../sync.ts'
import type { AppendedMessage, Named } from '../wire/command.ts'
import { noFlags } from '../wire/flags.ts'
import { orderedSetText } from '../wire/message-sets.ts'

export const append = async (
  session: Session,
  { mailbox, messages }: Named<'APPEND'>,
): Promise<string> => {
  const reader = readerOf(session)
  const folder = await findFolder(reader, mailbox, 'TRYCREATE')
  return `${await appendTo(reader, folder, messages)} Appended`
}

const appendTo = async (
  { app, who, mailboxId }: Reader,
  folder: NamedFolder,
  messages: readonly AppendedMessage[],
): Promise<string> => {
  if (messages.some(({ raw }) => raw.length === 0)) throw new Refusal('', 'The message is empty')
  const uids = await appendMessages(app, who, { mailboxId, folderId: folder.id }, messages)
  return `[APPENDUID ${folder.uidValidity} ${orderedSetText(uids)}]`
}

export const replace = async (
  session: Session,
  { isUid, number, mailbox, message }: Named<'REPLACE'>,
): Promise<string> => {
  const selected = writableOf(session)
  const { app, who, view, place } = selected
  const uid = isUid ? number : (view.uidAt(number) ?? 0)
  if (view.sequenceOf(uid) === 0) throw new Refusal('', 'There is no such message')
  const folder = await findFolder(selected, mailbox, 'TRYCREATE')
  session.out.line(`* OK ${await appendTo(selected, folder, [message])} Appended`)
  const deleted = { ...noFlags, isDeleted: true }
  await changeFlags(app, who, place, [uid], { how: 'add', flags: deleted, unchangedSince: null })
  tellGone(session, view, await expunge(app, who, place, [uid]))
  return 'Replaced'
}
