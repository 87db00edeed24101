/**
 * Reads what is likely to be opened next, so that it is there when it is. Nobody waits for it, so nobody is told when it fails
 * (decision 034).
 */
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { type SyntheticEvent, useEffect, useRef } from 'react'
import { getConversation } from '#contract/mail/conversations.ts'
import { getMessage } from '#contract/messages.ts'
import { ahead } from '#web/lib/api/query-client.ts'
import { keyOf, queryOf } from '#web/lib/api/use-api.ts'
import type { MailList, MailRow } from './mail-row.ts'

/** A message that was read changes only in its flags, which are told. */
export const MESSAGE_STALE_MS = 60_000
/** Who passes a row on the way to another one does not stay for so long. */
const MEANT_MS = 60
/** After a message has been shown. */
const NEIGHBOURS_MS = 100
/** After somebody has scrolled. */
const REST_MS = 200
/** Larger ones wait until somebody points at them. */
const MAX_BYTES = 200_000

async function readMessage(client: QueryClient, id: string, messageId: string): Promise<void> {
  const args = { params: { id, messageId } }
  const message = { ...queryOf(getMessage, args), staleTime: MESSAGE_STALE_MS }
  await Promise.all([
    client.prefetchQuery(ahead(message)),
    client.prefetchQuery(ahead(queryOf(getConversation, args))),
  ])
}

const rowAt = ({ target }: SyntheticEvent): string =>
  (target instanceof Element && target.closest<HTMLElement>('[data-row]')?.dataset.row) || ''

/** For the list: what the pointer or the focus stays on, or is pressed. Drafts are not read but written on. */
export function useReadAhead(mailboxId: string, list: MailList, isDrafts: boolean) {
  const client = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const read = (event: SyntheticEvent) => {
    clearTimeout(timer.current)
    const row = list.at(list.indexOf(rowAt(event)))
    if (!row || isDrafts || row.folder === 'drafts') return
    void readMessage(client, mailboxId, row.opens)
  }
  const readSoon = (event: SyntheticEvent) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => read(event), MEANT_MS)
  }
  return {
    ...{ onPointerOver: readSoon, onFocus: readSoon },
    onPointerLeave: () => clearTimeout(timer.current),
    // A finger or a button that is down comes up a tenth of a second later; a key comes as a click.
    ...{ onPointerDown: read, onClickCapture: read },
  }
}

const savesData = (): boolean => {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  return connection?.saveData === true
}

/** For the rows that are seen, one after the other: what is opened next is nearly always among them. What was read once stays. */
export function useRowsAhead(mailboxId: string, rows: readonly (MailRow | undefined)[]): void {
  const client = useQueryClient()
  const ids = rows
    .flatMap((row) => (row && row.folder !== 'drafts' && row.size <= MAX_BYTES ? [row.opens] : []))
    .join(' ')
  useEffect(() => {
    if (ids === '' || savesData()) return
    let isOn = true
    const stateOf = (messageId: string) =>
      client.getQueryState(keyOf(getMessage, { params: { id: mailboxId, messageId } }))
    const read = async () => {
      for (const id of ids.split(' ')) {
        if (stateOf(id) !== undefined) continue
        await readMessage(client, mailboxId, id)
        // Nobody asked for it: a server in trouble is left alone.
        if (!isOn || stateOf(id)?.status === 'error') return
      }
    }
    const timer = setTimeout(read, REST_MS)
    return () => {
      isOn = false
      clearTimeout(timer)
    }
  }, [client, mailboxId, ids])
}

type Open = { messageId: string; threadId: string | undefined; isShown: boolean }

/** The conversations above and below the open one. */
export function useNeighboursAhead(mailboxId: string, list: MailList, open: Open): void {
  const client = useQueryClient()
  const index = open.isShown ? list.indexOf(open.messageId, open.threadId) : -1
  const ids = index < 0 ? [] : [list.at(index + 1)?.opens, list.at(index - 1)?.opens]
  const neighbours = ids.filter((id) => id !== undefined).join(' ')
  useEffect(() => {
    if (neighbours === '') return
    const timer = setTimeout(() => {
      for (const id of neighbours.split(' ')) void readMessage(client, mailboxId, id)
    }, NEIGHBOURS_MS)
    return () => clearTimeout(timer)
  }, [client, mailboxId, neighbours])
}
