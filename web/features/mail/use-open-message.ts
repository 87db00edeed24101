/** The message that is read, with what the list knows of it; opening marks it read. */
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { getMessage, type Message, type MessageSummary } from '#contract/messages.ts'
import type { ApiError } from '#web/lib/api/api-error.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import type { MailActions } from './use-mail-actions.ts'

export type OpenMessage = {
  summary: MessageSummary | undefined
  message: Message | undefined
  query: UseQueryResult<Message, ApiError>
}

export function useOpenMessage(
  mailboxId: string,
  messageId: string,
  messages: readonly MessageSummary[],
  actions: MailActions,
): OpenMessage {
  const query = useApi(
    getMessage,
    { params: { id: mailboxId, messageId } },
    { enabled: mailboxId !== '' && messageId !== '', staleTime: 60_000 },
  )
  const message = messageId === '' ? undefined : query.data
  const marked = useRef('')
  useEffect(() => {
    if (messageId === '') marked.current = ''
    if (!message || marked.current === message._id) return
    // Once for each opening: 'Mark as unread' must hold.
    marked.current = message._id
    if (!message.isRead) void actions.mark(message, { isRead: true })
  }, [message, messageId, actions])
  const summary = messages.find(({ _id }) => _id === messageId) ?? message
  return { summary, message, query }
}
