import { listAddresses } from '#contract/mail/aliases.ts'
import { getConversation, listConversations } from '#contract/mail/conversations.ts'
import { getSending } from '#contract/mail/sending.ts'
import { getVacation } from '#contract/mail/vacation.ts'
import { listMailboxes } from '#contract/mailboxes.ts'
import { getMessage, listFolders } from '#contract/messages.ts'
import { readable } from '#web/features/mailbox-access/use-mailboxes.ts'
import type { Asks } from '#web/lib/api/asks.ts'
import { keyOf } from '#web/lib/api/use-api.ts'
import { argsOf } from './use-mail-list.ts'

/** Everything that the mail page shows at first. */
export const mailAsks: Asks = (query) => {
  const mailbox = query.get('mailbox')
  return [keyOf(listMailboxes, readable), ...(mailbox ? ofMailbox(mailbox, query) : [])]
}

function ofMailbox(id: string, query: URLSearchParams): ReturnType<Asks> {
  const own = { params: { id } }
  const folder = query.get('folder') || 'inbox'
  const messageId = folder === 'drafts' ? null : query.get('message')
  const open = { params: { id, messageId: messageId ?? '' } }
  return [
    keyOf(listFolders, own),
    ...(query.get('q') ? [] : [keyOf(listConversations, argsOf(id, folder, 0))]),
    ...(messageId ? [keyOf(getMessage, open), keyOf(getConversation, open)] : []),
    ...[keyOf(listAddresses, own), keyOf(getVacation, own), keyOf(getSending, own)],
  ]
}
