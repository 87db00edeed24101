/** Delivers mail through the feature that receives it, without an SMTP connection. */
import type { App } from '#server/app.ts'
import { receiveMessage } from '#server/features/messages/receive-message.ts'
import type { Mailbox } from '../builders.ts'

export type Letter = {
  subject: string
  from?: string
  to?: string
  body?: string
  messageId?: string
  headers?: string[]
}

export const letterText = (letter: Letter): string =>
  [
    `From: ${letter.from ?? 'Eve <eve@example.net>'}`,
    `To: ${letter.to ?? 'ada@example.com'}`,
    `Subject: ${letter.subject}`,
    `Message-ID: <${letter.messageId ?? `${crypto.randomUUID()}@example.net`}>`,
    ...(letter.headers ?? []),
    'Content-Type: text/plain; charset=utf-8',
    '',
    letter.body ?? 'Hello',
    '',
  ].join('\r\n')

export const aLetter = (app: App, mailbox: Mailbox, letter: Letter): Promise<void> =>
  receiveMessage(
    app,
    app.db,
    { raw: Buffer.from(letterText(letter)), mailFrom: 'eve@example.net', authentication: null },
    [{ mailboxId: mailbox.id, workspaceId: mailbox.workspaceId }],
  )
