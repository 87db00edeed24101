/**
 * Prefetches the messages that the reader is likely to open next. Nothing waits for these requests, so a failure shows no
 * error (decision 034).
 */
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type SyntheticEvent, useEffect, useRef } from 'react'
import { getConversation, MAX_AHEAD, readAhead } from '#contract/mail/conversations.ts'
import { getInvitationOf } from '#contract/mail/event-invitation.ts'
import { getMessage, type Message } from '#contract/messages.ts'
import { call } from '#web/lib/api/api.ts'
import { ahead } from '#web/lib/api/query-client.ts'
import { keyOf, queryOf } from '#web/lib/api/use-api.ts'
import { MailFrame } from '#web/mail-content/lazy-mail-frame.ts'
import { mayInvite } from '../reader/invitation-card.tsx'
import { catchUpOf } from './catch-up.ts'
import type { MailList, MailRow } from './mail-row.ts'

/** Only the flags of a message can change, and live events announce those. */
export const MESSAGE_STALE_MS = 60_000
/** A pointer that only passes a row leaves it sooner than this. */
const HOVER_MS = 60
/** Wait after a message was shown. */
const NEIGHBOURS_MS = 100
/** Wait after scrolling. */
const SCROLL_END_MS = 200
/** Larger messages are prefetched only under the pointer. */
const MAX_BYTES = 200_000

async function prefetchMessage(client: QueryClient, id: string, messageId: string): Promise<void> {
  const args = { params: { id, messageId } }
  const message = { ...queryOf(getMessage, args), staleTime: MESSAGE_STALE_MS }
  await Promise.all([
    client.prefetchQuery(ahead(message)),
    client.prefetchQuery(ahead(queryOf(getConversation, args))),
  ])
  await prefetchParts(client, id, client.getQueryData<Message>(message.queryKey))
}

/** What is shown with a message. */
async function prefetchParts(
  client: QueryClient,
  id: string,
  known: Message | undefined,
): Promise<void> {
  if (known?.html != null) void MailFrame.fetchAhead()
  if (!known || !mayInvite(known)) return
  const args = { params: { id, messageId: known._id } }
  await client.prefetchQuery({
    ...ahead(queryOf(getInvitationOf, args)),
    staleTime: MESSAGE_STALE_MS,
  })
}

/** Few at first, which are opened soonest. */
const FIRST_AHEAD = 4

/** Several messages by one request. @throws ApiError */
async function prefetchMessages(
  client: QueryClient,
  id: string,
  ids: readonly string[],
): Promise<void> {
  const args = { params: { id }, query: { messages: ids.join(',') } }
  const { answer, changed } = await catchUpOf(client, id).whileAsking(call(readAhead, args))
  for (const { message, conversation } of answer) {
    if (changed.has(conversation.threadId)) continue
    const params = { id, messageId: message._id }
    const known = <T>(answer: T) => ({ queryFn: async () => answer, staleTime: MESSAGE_STALE_MS })
    await Promise.all([
      client.prefetchQuery({ ...ahead(queryOf(getMessage, { params })), ...known(message) }),
      client.prefetchQuery({
        ...ahead(queryOf(getConversation, { params })),
        ...known(conversation),
      }),
    ])
    await prefetchParts(client, id, message)
  }
}

const rowAt = ({ target }: SyntheticEvent): string =>
  (target instanceof Element && target.closest<HTMLElement>('[data-row]')?.dataset.row) || ''

/** Handlers for the list: prefetch the row under the pointer or the focus. Drafts open in the editor, so they are skipped. */
export function useHoverPrefetch(mailboxId: string, list: MailList, isDrafts: boolean) {
  const client = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const read = (event: SyntheticEvent) => {
    clearTimeout(timer.current)
    const row = list.at(list.indexOf(rowAt(event)))
    if (!row || isDrafts || row.folder === 'drafts') return
    void prefetchMessage(client, mailboxId, row.opens)
  }
  const readAfterHover = (event: SyntheticEvent) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => read(event), HOVER_MS)
  }
  return {
    ...{ onPointerOver: readAfterHover, onFocus: readAfterHover },
    onPointerLeave: () => clearTimeout(timer.current),
    // The button or finger comes up about 100 ms after pointerdown; a key arrives as a click.
    ...{ onPointerDown: read, onClickCapture: read },
  }
}

const savesData = (): boolean => {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  return connection?.saveData === true
}

/** Prefetches the visible rows: the next opened message is nearly always among them. Skips cached ones. */
export function useVisiblePrefetch(
  mailboxId: string,
  rows: readonly (MailRow | undefined)[],
): void {
  const client = useQueryClient()
  const ids = rows
    .flatMap((row) => (row && row.folder !== 'drafts' && row.size <= MAX_BYTES ? [row.opens] : []))
    .join(' ')
  useEffect(() => {
    if (ids === '' || savesData()) return
    let isActive = true
    const isKnown = (messageId: string) =>
      client.getQueryState(keyOf(getMessage, { params: { id: mailboxId, messageId } })) !==
      undefined
    const read = async () => {
      const wanted = ids.split(' ').filter((id) => !isKnown(id))
      // Stops at the first error, so as not to load a server in trouble.
      for (let at = 0, next = FIRST_AHEAD; at < wanted.length && isActive; next = MAX_AHEAD) {
        await prefetchMessages(client, mailboxId, wanted.slice(at, at + next))
        at += next
      }
    }
    const timer = setTimeout(() => void read().catch(() => undefined), SCROLL_END_MS)
    return () => {
      isActive = false
      clearTimeout(timer)
    }
  }, [client, mailboxId, ids])
}

type Open = { messageId: string; threadId: string | undefined; isShown: boolean }

/** Prefetches the conversations above and below the open one. */
export function useNeighbourPrefetch(mailboxId: string, list: MailList, open: Open): void {
  const client = useQueryClient()
  const index = open.isShown ? list.indexOf(open.messageId, open.threadId) : -1
  const ids = index < 0 ? [] : [list.at(index + 1)?.opens, list.at(index - 1)?.opens]
  const neighbours = ids.filter((id) => id !== undefined).join(' ')
  useEffect(() => {
    if (neighbours === '') return
    const timer = setTimeout(() => {
      for (const id of neighbours.split(' ')) void prefetchMessage(client, mailboxId, id)
    }, NEIGHBOURS_MS)
    return () => clearTimeout(timer)
  }, [client, mailboxId, neighbours])
}
