/**
 * Prefetches the messages that the reader is likely to open next. Nothing waits for these requests, so a failure shows no
 * error (decision 034).
 */
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type SyntheticEvent, useEffect, useRef } from 'react'
import { getConversation } from '#contract/mail/conversations.ts'
import { getInvitationOf } from '#contract/mail/event-invitation.ts'
import { getMessage, type Message } from '#contract/messages.ts'
import { ahead } from '#web/lib/api/query-client.ts'
import { keyOf, queryOf } from '#web/lib/api/use-api.ts'
import { MailFrame } from '#web/mail-content/lazy-mail-frame.ts'
import { mayInvite } from '../reader/invitation-card.tsx'
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
  const known = client.getQueryData<Message>(message.queryKey)
  if (known?.html != null) void MailFrame.fetchAhead()
  if (known && mayInvite(known))
    await client.prefetchQuery({
      ...ahead(queryOf(getInvitationOf, args)),
      staleTime: MESSAGE_STALE_MS,
    })
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

/** Prefetches the visible rows one after the other: the next opened message is nearly always among them. Skips cached ones. */
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
    const stateOf = (messageId: string) =>
      client.getQueryState(keyOf(getMessage, { params: { id: mailboxId, messageId } }))
    const read = async () => {
      for (const id of ids.split(' ')) {
        if (stateOf(id) !== undefined) continue
        await prefetchMessage(client, mailboxId, id)
        // Stops at the first error, so as not to load a server in trouble.
        if (!isActive || stateOf(id)?.status === 'error') return
      }
    }
    const timer = setTimeout(read, SCROLL_END_MS)
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
