/** The bytes of a vacation reply (RFC 3834 §3). */
import { newId } from '#server/lib/ids.ts'
import { dkimSign, type SigningKey } from '#server/standards/dkim-sign.ts'
import { writeMessage } from '#server/standards/message-writer.ts'
import { replyHeaders } from '#server/standards/reply-headers.ts'
import { shownName } from '../settings/shown-name.ts'
import type { Due, VacationRow } from './vacation-store.ts'

export type Reply = {
  due: Due
  vacation: Pick<VacationRow, 'subject' | 'text'>
  to: string
  as: string
  domainName: string
  keys: readonly SigningKey[]
  at: Date
}

const MAX_SUBJECT = 200

export const writeReply = async (reply: Reply): Promise<Buffer> => {
  const { due, vacation, to, as, domainName, keys, at } = reply
  const name = due.from?.address.toLowerCase() === to ? due.from.name : ''
  const written = await writeMessage({
    from: { name: shownName(due), address: as },
    to: [{ name, address: to }],
    subject: vacation.subject || `Auto: ${due.subject}`.slice(0, MAX_SUBJECT).toWellFormed(),
    messageId: `${newId()}@${domainName}`,
    ...(replyHeaders(due) ?? {}),
    date: at,
    text: `${vacation.text.trimEnd()}\n`,
    // The second is what Exchange asks for.
    headers: { 'Auto-Submitted': 'auto-replied', 'X-Auto-Response-Suppress': 'All' },
  })
  return dkimSign(written, domainName, keys, at)
}
