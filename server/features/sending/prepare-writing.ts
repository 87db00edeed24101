/** Prepares a message from the browser's compose form: files are already uploaded, and the original may be deleted. */

import { invalidField } from '#contract/errors.ts'
import { MAX_MESSAGE_BYTES } from '#contract/fields.ts'
import type { Writing } from '#contract/mail/writing.ts'

import type { App } from '#server/app.ts'
import { findMessage } from '#server/features/messages/message-queries.ts'
import { isId } from '#server/lib/ids.ts'
import { domainOf } from '#server/standards/address.ts'
import { MAX_CHARACTERS } from '#server/standards/html-text.ts'
import type { WrittenAttachment } from '#server/standards/message-writer.ts'
import { readTwinOfHtml } from '#server/standards/reading/read-message.ts'
import { type Stored, storeMessage } from './keep-message.ts'
import { type OpenMailbox, type Original, prepareMessage, TOO_LARGE } from './prepare-message.ts'
import { findUploads } from './uploads-store.ts'

export const FILE_GONE = 'This file no longer exists. Please attach it again'

export type PreparedWriting = { stored: Stored; original: Original; originalIds: OriginalIds }
type OriginalIds = { inReplyTo: string | null; forwardOf: string | null }

export const prepareWriting = async (
  app: App,
  mailbox: OpenMailbox,
  writing: Writing,
  isDraft: boolean,
): Promise<PreparedWriting> => {
  const originalOf = async (id: string | undefined): Promise<Original> =>
    id !== undefined && isId(id)
      ? findMessage(app.db, {
          ...{ workspaceId: mailbox.workspaceId, mailboxId: mailbox.id, messageId: id },
        })
      : undefined
  // If the original was deleted, the answer is sent without it.
  const answered = await originalOf(writing.inReplyTo)
  const passedOn = answered ? undefined : await originalOf(writing.forwardOf)
  const { html, attachments } = await withFiles(app, mailbox, writing)
  const body = writing.isPlainText ? await textOnly(html, mailbox) : { text: '', html }
  const form = { ...writing, ...body, attachments }
  const prepared = await prepareMessage(app, { mailbox, form, answered, isDraft })
  return {
    stored: await storeMessage(app, prepared),
    original: answered ?? passedOn,
    originalIds: { inReplyTo: answered?.id ?? null, forwardOf: passedOn?.id ?? null },
  }
}

const TOO_LONG = 'This text is too long. Please shorten it, or attach it as a file'

/** Nothing of it may be cut or missing: there is no HTML beside it. */
const textOnly = async (html: string, { workspaceId }: OpenMailbox) => {
  const text = html.length > MAX_CHARACTERS ? null : await readTwinOfHtml(html, workspaceId)
  if (text === null) throw invalidField('html', TOO_LONG)
  return { text, html: undefined }
}

/** The Content-ID of an inline picture; it names the upload. */
const contentIdOf = (id: string, mailbox: OpenMailbox): string => `${id}@${domainOf(mailbox.email)}`

const withFiles = async (app: App, mailbox: OpenMailbox, { html = '', uploads }: Writing) => {
  const place = { workspaceId: mailbox.workspaceId, mailboxId: mailbox.id }
  const rows = new Map((await findUploads(app.db, place, uploads)).map((row) => [row.id, row]))
  const attachments: WrittenAttachment[] = []
  let linked = html
  // Checked before any file is read into memory; a file that is named twice counts twice.
  const bytes = uploads.reduce((sum, id) => sum + (rows.get(id)?.sizeBytes ?? 0), 0)
  if (bytes > MAX_MESSAGE_BYTES) throw invalidField('attachments', TOO_LARGE)
  for (const [n, id] of uploads.entries()) {
    const row = rows.get(id)
    if (row === undefined) throw invalidField(`uploads.${n}`, FILE_GONE)
    const { filename, contentType, blob } = row
    const isShown = linked.includes(`cid:${id}`)
    if (isShown) linked = linked.replaceAll(`cid:${id}`, `cid:${contentIdOf(id, mailbox)}`)
    attachments.push({
      ...{ filename, contentType, content: await app.blobs.get(blob) },
      ...(isShown && { contentId: contentIdOf(id, mailbox) }),
    })
  }
  return { html: linked, attachments }
}
