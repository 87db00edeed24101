/**
 * The open message, with what the list knows of it. Opening marks it as read, unless it opened by itself in place of a
 * message that was moved away: then it stays unread until the reader acts on it.
 */
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { getConversation, MAX_CONVERSATION } from '#contract/mail/conversations.ts'
import { getMessage, type Message, type MessageSummary } from '#contract/messages.ts'
import type { Output } from '#contract/route.ts'
import type { ApiError } from '#web/lib/api/api-error.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import type { MailList, MailRow } from '../list/mail-row.ts'
import { MESSAGE_STALE_MS, useNeighbourPrefetch } from '../list/read-ahead.ts'
import type { MailActions } from '../list/use-mail-actions.ts'
import { unreadToOpen } from './conversation.tsx'

export type OpenMessage = {
  summary: MessageSummary | undefined
  message: Message | undefined
  query: UseQueryResult<Message, ApiError>
  /** Its conversation, oldest first. */
  conversation: Output<typeof getConversation> | undefined
  /** false: the conversation is still loading. */
  isConversationKnown: boolean
  /** Id of the message that Reply and Forward are about: the newest one that is open with its conversation. */
  answeredId: string
  /** false: it opened by itself, and stays unread until the reader acts on it. */
  isReading: boolean
  /** Called when the reader acts on the message: it is marked as read. */
  confirmReading: () => void
}

type OpenMessageOptions = { mailboxId: string; messageId: string; isAutoOpened: boolean }

export function useOpenMessage(
  { mailboxId, messageId, isAutoOpened }: OpenMessageOptions,
  list: MailList,
  actions: MailActions,
): OpenMessage {
  const params = { id: mailboxId, messageId }
  const isOpen = mailboxId !== '' && messageId !== ''
  const query = useApi(getMessage, { params }, { enabled: isOpen, staleTime: MESSAGE_STALE_MS })
  const row = isOpen ? list.at(list.indexOf(messageId)) : undefined
  const answer = useApi(
    getConversation,
    { params },
    {
      enabled: isOpen,
      // Keeps the last answer when the next message is of the same conversation.
      placeholderData: (last) =>
        last?.items.some(({ _id }) => _id === messageId) ? last : undefined,
    },
  )
  const conversation = useWhole(messageId, row, answer)
  const message = messageId === '' ? undefined : query.data
  const [confirmedId, setConfirmedId] = useState('')
  const isReading = !isAutoOpened || confirmedId === messageId
  const markedId = useRef('')
  useEffect(() => {
    if (messageId === '') markedId.current = ''
    if (!message || !isReading || markedId.current === message._id) return
    // Once per opening: 'Mark as unread' must hold.
    markedId.current = message._id
    if (!message.isRead) void actions.mark([message], { isRead: true })
  }, [message, messageId, isReading, actions])
  const known = conversation?.items.find(({ _id }) => _id === messageId)
  const summary = row?._id === messageId ? row : (known ?? message)
  const confirmReading = () => setConfirmedId(messageId)
  const answeredId = useAnswered(messageId, conversation?.items)
  const { threadId } = conversation ?? {}
  useNeighbourPrefetch(mailboxId, list, { messageId, threadId, isShown: message !== undefined })
  return {
    summary,
    message,
    query,
    conversation: isOpen ? conversation : undefined,
    isConversationKnown: conversation !== undefined || answer.isError,
    answeredId,
    isReading,
    confirmReading,
  }
}

type Answer = Pick<UseQueryResult<Output<typeof getConversation>>, 'data' | 'isFetching'>

/**
 * A conversation that was read ahead may lack the newest messages. It opens when it has as many as its row counts, because the unread
 * ones are chosen when it opens. Messages that come later do not close it again.
 */
function useWhole(messageId: string, row: MailRow | undefined, { data, isFetching }: Answer) {
  const [openedId, setOpenedId] = useState('')
  const counted = row === undefined || row.found !== null ? 0 : row.messages
  const isBehind =
    isFetching && data !== undefined && data.items.length < Math.min(counted, MAX_CONVERSATION)
  const isOpened = openedId === messageId
  if (data && !isBehind && !isOpened) setOpenedId(messageId)
  return isBehind && !isOpened ? undefined : data
}

/** Of when the conversation opened: what was unread then is open, and has been read since. */
function useAnswered(messageId: string, items: readonly MessageSummary[] | undefined): string {
  const [answered, setAnswered] = useState({ of: '', id: '' })
  if (items && answered.of !== messageId) {
    const after = items.slice(items.findIndex(({ _id }) => _id === messageId) + 1)
    setAnswered({ of: messageId, id: unreadToOpen(after).at(-1)?._id ?? messageId })
  }
  return answered.of === messageId ? answered.id : messageId
}
