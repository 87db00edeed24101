/** The mail of the world's mailbox, and what was deleted of it for good. */
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import type { Person, Setting } from '../specification/setting.ts'
import { accountOf } from './account-of.ts'
import { type LetterKey, letters, rawOf, SENDER } from './letters.ts'

export const fillMail = async (
  setting: Setting,
  person: Person,
  { name }: { name: string },
  mailboxId: string,
): Promise<Record<LetterKey, string>> => {
  const to = `ada@${name}`
  const send = (raw: string) =>
    sendMail(setting.product.smtpPort, { from: SENDER, to, raw }).then((reply) => {
      if (!reply.startsWith('250')) throw new Error(`a letter was not taken: ${reply}`)
    })
  for (let n = 0; n < 20; n++)
    await send(
      rawOf({ ...letters.plain, subject: `Minutes no. ${n}` }, to, `filler-${n}@x.example`),
    )
  for (const key of ['plain', 'arabic', 'unbroken'] as const) {
    await send(rawOf(letters[key], to, `deleted-${key}@x.example`))
    await deleteForGood(setting, person, mailboxId, `deleted-${key}@x.example`)
  }
  const keys = Object.keys(letters) as LetterKey[]
  for (const key of keys) await send(rawOf(letters[key], to, `${key}@x.example`))
  await accountOf(person).ask('POST', `/mailboxes/${mailboxId}/messages`, {
    ...{ to: [`grace@${name}`], cc: [], bcc: [], subject: 'Half a thought', text: 'Dear Grace,' },
    ...{ attachments: [], draft: true },
  })
  const rows = await setting.db
    .selectFrom('messages')
    .select(['id', 'messageId'])
    .where('mailboxId', '=', mailboxId)
    .execute()
  const mark = (
    key: LetterKey,
    marks: { isRead?: boolean; isAnswered?: boolean; keywords?: string[] },
  ) => setting.db.updateTable('messages').set(marks).where('id', '=', idOf(key)).execute()
  const idOf = (key: LetterKey) =>
    rows.find((row) => row.messageId === `${key}@x.example`)?.id ?? ''
  // An unread one would open with its conversation.
  await mark('plain', { isRead: true })
  await mark('arabic', { isAnswered: true })
  await mark('files', { isAnswered: true, keywords: ['$Forwarded'] })
  return Object.fromEntries(keys.map((key) => [key, idOf(key)])) as Record<LetterKey, string>
}

/** First to Trash, then out of it. */
const deleteForGood = async (
  setting: Setting,
  person: Person,
  mailboxId: string,
  messageId: string,
): Promise<void> => {
  const { id } = await setting.db
    .selectFrom('messages')
    .select('id')
    .where('mailboxId', '=', mailboxId)
    .where('messageId', '=', messageId)
    .executeTakeFirstOrThrow()
  for (let n = 0; n < 2; n++)
    await accountOf(person).ask('DELETE', `/mailboxes/${mailboxId}/messages/${id}`)
}
