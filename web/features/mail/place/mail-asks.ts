import { listAddresses } from '#contract/mail/aliases.ts'
import { getConversation, listConversations } from '#contract/mail/conversations.ts'
import { getSending } from '#contract/mail/sending.ts'
import { getVacation } from '#contract/mail/vacation.ts'
import { listMailboxes } from '#contract/mailboxes.ts'
import { getMessage, listFolders } from '#contract/messages.ts'
import { type Ask, type Asks, ask } from '#web/lib/api/asks.ts'
import { argsOf } from '../list/data/use-conversations.ts'
import { readable } from './use-mailboxes.ts'

/** Everything that the mail page shows at first. */
export const mailAsks: Asks = (query) => {
  const mailbox = query.get('mailbox')
  return [ask(listMailboxes, readable), ...(mailbox ? ofMailbox(mailbox, query) : [])]
}

function ofMailbox(id: string, query: URLSearchParams): Ask[] {
  const own = { params: { id } }
  const folder = query.get('folder') || 'inbox'
  const messageId = folder === 'drafts' ? null : query.get('message')
  const open = { params: { id, messageId: messageId ?? '' } }
  return [
    ask(listFolders, own),
    ...(query.get('q') ? [] : [ask(listConversations, argsOf(id, folder, 0))]),
    ...(messageId ? [ask(getMessage, open), ask(getConversation, open)] : []),
    ...[ask(listAddresses, own), ask(getVacation, own), ask(getSending, own)],
  ]
}
