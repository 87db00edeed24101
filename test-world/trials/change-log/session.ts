/** One session that changes a mailbox at random, through the features that people use. */
import { AppError } from '#contract/errors.ts'
import type { BulkChange } from '#contract/mail/changes.ts'
import type { Who } from '#server/features/accounts/who.ts'
import { appendMessages } from '#server/features/messages/by-uid/append-messages.ts'
import { changeFlags } from '#server/features/messages/by-uid/change-flags.ts'
import type { MessageFlags } from '#server/features/messages/by-uid/message-flags.ts'
import {
  copyMessages,
  expunge,
  moveMessages,
} from '#server/features/messages/by-uid/place-messages.ts'
import { changeMessage, deleteMessage } from '#server/features/messages/change-message.ts'
import { changeMessages, undoChange } from '#server/features/messages/change-messages.ts'
import { listFolders } from '#server/features/messages/list-folders.ts'
import { createFolder, deleteFolder } from '#server/features/messages/own-folders.ts'
import { saveDraft } from '#server/features/sending/save-draft.ts'
import { sendWriting, undoSend } from '#server/features/sending/send-writing.ts'
import { newId } from '#server/lib/ids.ts'
import type { TestApp } from '../../app.ts'
import type { Mailbox } from '../../builders.ts'
import { aLetter, letterText } from '../../mail/letter.ts'
import type { Chance } from '../seeded.ts'

export type Stage = { app: TestApp; who: Who; mailbox: Mailbox; chance: Chance; undo: string[] }

const ids = async ({ app, mailbox }: Stage): Promise<string[]> => {
  const rows = await app.db
    .selectFrom('messages')
    .select('id')
    .where('mailboxId', '=', mailbox.id)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

const anId = async (stage: Stage): Promise<string> => {
  const all = await ids(stage)
  return all[stage.chance.between(0, Math.max(0, all.length - 1))] ?? newId()
}

const aFolder = async ({ app, who, mailbox, chance }: Stage): Promise<string> => {
  const folders = await listFolders(app, who, mailbox.id)
  const usable = folders.filter(({ role }) => role !== 'drafts' && role !== 'sent')
  const folder = usable[chance.between(0, usable.length - 1)]
  return folder?.role ?? folder?._id ?? 'inbox'
}

/** Few message ids, so that answers come before what they answer and threads join. */
const aMail = ({ app, mailbox, chance }: Stage) => {
  const [own, other] = [chance.between(1, 30), chance.between(1, 30)]
  return aLetter(app, mailbox, {
    subject: `Mail ${own}`,
    messageId: `${own}@history.example`,
    headers: [`In-Reply-To: <${other}@history.example>`],
  })
}

const aWriting = ({ chance }: Stage, draft: string, save: number) => ({
  ...{ to: ['eve@example.net'], cc: [], bcc: [], subject: `Draft ${chance.between(1, 9)}` },
  ...{ html: `<p>${save}</p>`, uploads: [], draft, writer: draft, save },
})

const write = async (stage: Stage): Promise<void> => {
  const { app, who, mailbox, chance } = stage
  const draft = newId()
  const saves = chance.between(1, 3)
  for (let save = 1; save <= saves; save++)
    await saveDraft(app, who, mailbox.id, aWriting(stage, draft, save))
  if (chance.between(0, 1) === 0) return
  const key = newId()
  const inReplyTo = chance.between(0, 1) === 0 ? { inReplyTo: await anId(stage) } : {}
  const writing = { ...aWriting(stage, draft, saves + 1), ...inReplyTo, key }
  await sendWriting(app, who, mailbox.id, writing)
  if (chance.between(0, 1) === 0) await undoSend(app, who, mailbox.id, { key, takeBack: true })
}

const changeMany = async (stage: Stage): Promise<void> => {
  const { app, who, mailbox, chance, undo } = stage
  const messages = [await anId(stage), await anId(stage), await anId(stage)]
  const change = chance.oneOf<Omit<BulkChange, 'messages'>>([
    { folder: await aFolder(stage) },
    { isRead: chance.between(0, 1) === 0 },
    { isStarred: chance.between(0, 1) === 0, folder: await aFolder(stage) },
    { delete: true },
  ])
  const { _id } = await changeMessages(app, who, mailbox.id, { messages, ...change })
  if (_id !== null) undo.push(_id)
}

const changeFolders = async (stage: Stage): Promise<void> => {
  const { app, who, mailbox, chance } = stage
  const own = (await listFolders(app, who, mailbox.id)).filter(({ role }) => role === null)
  const [first] = own
  if (first === undefined || chance.between(0, 1) === 0)
    await createFolder(app, who, mailbox.id, `Own ${chance.between(1, 5)}`)
  else await deleteFolder(app, who, mailbox.id, first._id)
}

/** A folder and some of its uids, as a mail program names them. */
const somewhere = async (stage: Stage) => {
  const { app, mailbox, chance } = stage
  const folders = await app.db
    .selectFrom('folders')
    .select(['id', 'uidNext'])
    .where('mailboxId', '=', mailbox.id)
    .orderBy('messageCount', 'desc')
    .limit(4)
    .execute()
  const [from, to] = [1, 2].map(() => folders[chance.between(0, folders.length - 1)])
  const uids = [1, 2, 3].map(() => chance.between(1, from?.uidNext ?? 1))
  const at = { mailboxId: mailbox.id, folderId: from?.id ?? '' }
  return { at, uids: uids.toSorted((a, b) => a - b), other: to?.id ?? '' }
}

const someFlags = ({ chance }: Stage): MessageFlags => ({
  ...{ isRead: chance.between(0, 1) === 0, isStarred: chance.between(0, 2) === 0 },
  ...{ isAnswered: false, isDraft: false, isDeleted: chance.between(0, 2) === 0 },
  keywords: chance.between(0, 1) === 0 ? [] : [chance.oneOf(['$Forwarded', '$Work', 'other'])],
})

/** What mail programs do, by uids. */
const programSteps: Record<string, (stage: Stage) => Promise<unknown>> = {
  store: async (stage) => {
    const { at, uids } = await somewhere(stage)
    const how = stage.chance.oneOf(['add', 'remove', 'set'] as const)
    const change = { how, flags: someFlags(stage), unchangedSince: null }
    return changeFlags(stage.app, stage.who, at, uids, change)
  },
  copy: async (stage) => {
    const { at, uids, other } = await somewhere(stage)
    return copyMessages(stage.app, stage.who, at, uids, other)
  },
  'move by uids': async (stage) => {
    const { at, uids, other } = await somewhere(stage)
    return moveMessages(stage.app, stage.who, at, uids, other)
  },
  expunge: async (stage) => {
    const { at } = await somewhere(stage)
    return expunge(
      stage.app,
      stage.who,
      at,
      Array.from({ length: 200 }, (_, n) => n + 1),
    )
  },
  append: async (stage) => {
    const { at } = await somewhere(stage)
    const [own, other] = [stage.chance.between(1, 30), stage.chance.between(1, 30)]
    const text = letterText({
      ...{ subject: `Mail ${own}`, messageId: `${own}@history.example` },
      headers: [`In-Reply-To: <${other}@history.example>`],
    })
    const message = { raw: Buffer.from(text), flags: someFlags(stage), date: null }
    return appendMessages(stage.app, stage.who, at, [message])
  },
}

const steps: Record<string, (stage: Stage) => Promise<unknown>> = {
  ...programSteps,
  file: aMail,
  'file again': aMail,
  write,
  'change many': changeMany,
  'change folders': changeFolders,
  flag: async (stage) =>
    changeMessage(stage.app, stage.who, stage.mailbox.id, await anId(stage), {
      isRead: stage.chance.between(0, 1) === 0,
      isStarred: stage.chance.between(0, 1) === 0,
    }),
  move: async (stage) =>
    changeMessage(stage.app, stage.who, stage.mailbox.id, await anId(stage), {
      folder: await aFolder(stage),
    }),
  delete: async (stage) => deleteMessage(stage.app, stage.who, stage.mailbox.id, await anId(stage)),
  undo: async ({ app, who, mailbox, undo }) => {
    const id = undo.pop()
    if (id !== undefined) await undoChange(app, who, mailbox.id, id)
  },
}

/** One step; what the product refuses (somebody else was faster) is part of the history. @returns its name, for counting. */
export const step = async (stage: Stage): Promise<string> => {
  const names = Object.keys(steps)
  const name = names[stage.chance.between(0, names.length - 1)] ?? 'file'
  try {
    await steps[name]?.(stage)
    return name
  } catch (error) {
    if (error instanceof AppError) return `${name} refused`
    throw error
  }
}
