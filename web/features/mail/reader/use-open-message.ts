/**
 * The message that is read, with what the list knows of it. Opening marks it read, unless it only took the place of one that
 * was put away: then it stays unread until somebody turns to it.
 */
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { getConversation } from '#contract/mail/conversations.ts'
import { getMessage, type Message, type MessageSummary } from '#contract/messages.ts'
import type { Output } from '#contract/route.ts'
import type { ApiError } from '#web/lib/api/api-error.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import type { MailList } from '../list/mail-row.ts'
import { MESSAGE_STALE_MS, useNeighboursAhead } from '../list/read-ahead.ts'
import type { MailActions } from '../list/use-mail-actions.ts'

export type OpenMessage = {
  summary: MessageSummary | undefined
  message: Message | undefined
  query: UseQueryResult<Message, ApiError>
  /** The messages before and after it too, oldest first. */
  conversation: Output<typeof getConversation> | undefined
  /** Somebody turns to it: it is read. */
  ask: () => void
}

type Given = { mailboxId: string; messageId: string; isUnasked: boolean }

export function useOpenMessage(
  { mailboxId, messageId, isUnasked }: Given,
  list: MailList,
  actions: MailActions,
): OpenMessage {
  const params = { id: mailboxId, messageId }
  const isOpen = mailboxId !== '' && messageId !== ''
  const query = useApi(getMessage, { params }, { enabled: isOpen, staleTime: MESSAGE_STALE_MS })
  const conversation = useApi(
    getConversation,
    { params },
    {
      enabled: isOpen,
      // The message before or after is one of the same conversation.
      placeholderData: (last) =>
        last?.items.some(({ _id }) => _id === messageId) ? last : undefined,
    },
  ).data
  const message = messageId === '' ? undefined : query.data
  const [asked, setAsked] = useState('')
  const isAsked = !isUnasked || asked === messageId
  const marked = useRef('')
  useEffect(() => {
    if (messageId === '') marked.current = ''
    if (!message || !isAsked || marked.current === message._id) return
    // Once for each opening: 'Mark as unread' must hold.
    marked.current = message._id
    if (!message.isRead) void actions.mark(message, { isRead: true })
  }, [message, messageId, isAsked, actions])
  const row = isOpen ? list.at(list.indexOf(messageId)) : undefined
  const known = conversation?.items.find(({ _id }) => _id === messageId)
  const summary = row?._id === messageId ? row : (known ?? message)
  const ask = () => setAsked(messageId)
  const { threadId } = conversation ?? {}
  useNeighboursAhead(mailboxId, list, { messageId, threadId, isShown: message !== undefined })
  return { summary, message, query, conversation: isOpen ? conversation : undefined, ask }
}
