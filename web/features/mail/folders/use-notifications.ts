/** Shows a browser notification for new mail when the reader turned that on in this browser. */
import { focusManager, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { listMessages } from '#contract/messages.ts'
import { ahead } from '#web/lib/api/query-client.ts'
import { queryOf, useApi } from '#web/lib/api/use-api.ts'

const KEY = 'mailstead-notify'
/** The reader does not want to be told again that the browser blocks them. */
const HIDDEN_KEY = 'mailstead-notify-hidden'
const MAX_AT_ONCE = 3

/** 'none': this browser has no notifications, or blocks them and the reader knows. */
export type NotifyState = 'none' | 'off' | 'on' | 'blocked'

const canNotify = (): boolean => typeof window !== 'undefined' && 'Notification' in window

const readState = (): NotifyState => {
  if (!canNotify()) return 'none'
  if (Notification.permission === 'denied')
    return localStorage.getItem(HIDDEN_KEY) === '1' ? 'none' : 'blocked'
  const isWanted = localStorage.getItem(KEY) === 'on'
  return Notification.permission === 'granted' && isWanted ? 'on' : 'off'
}

const newestArgs = (id: string) => ({ params: { id }, query: { folder: 'inbox', limit: 5 } })

type NotifyChoice = {
  state: NotifyState
  turn: (isOn: boolean) => Promise<void>
  /** Hides that the browser blocks notifications. */
  hide: () => void
}

/** The browser asks for permission only when the button is pressed, never by itself. */
export function useNotifyChoice(mailboxId: string): NotifyChoice {
  const client = useQueryClient()
  // Known after the first render, because the server renders without a browser.
  const [state, setState] = useState<NotifyState>('none')
  useEffect(() => setState(readState()), [])
  const turn = useCallback(
    async (isOn: boolean) => {
      if (isOn && Notification.permission === 'default') await Notification.requestPermission()
      if (isOn) localStorage.setItem(KEY, 'on')
      else localStorage.removeItem(KEY)
      // Reads the present mail first: a notification is shown only for mail that comes later.
      if (isOn) await client.prefetchQuery(ahead(queryOf(listMessages, newestArgs(mailboxId))))
      setState(readState())
    },
    [client, mailboxId],
  )
  const hide = useCallback(() => {
    localStorage.setItem(HIDDEN_KEY, '1')
    setState(readState())
  }, [])
  return { state, turn, hide }
}

const HIDDEN_MS = 60_000

/** Query options: live events reach only visible pages, so a hidden page polls for its title and its notifications. */
export const pollWhileHidden = {
  refetchInterval: () => (focusManager.isFocused() ? false : HIDDEN_MS),
  refetchIntervalInBackground: true,
} as const

export function useNotifications(
  mailboxId: string,
  isOn: boolean,
  open: (id: string) => void,
): void {
  const options = { enabled: isOn, ...pollWhileHidden }
  const latest = useApi(listMessages, newestArgs(mailboxId), options).data?.items
  const newest = useRef<string | null>(null)
  const onOpen = useRef(open)
  useEffect(() => {
    onOpen.current = open
  })
  useEffect(() => {
    // Mail that comes while notifications are off gets none later.
    if (!isOn) newest.current = null
    if (!latest || !isOn) return
    const before = newest.current
    newest.current = latest[0]?.date ?? ''
    // No notification for mail that was there when the page opened, or while the page has the focus.
    if (before === null || document.hasFocus()) return
    const fresh = latest.filter(({ date, isRead }) => date > before && !isRead)
    for (const message of fresh.slice(0, MAX_AT_ONCE)) {
      const from = message.from?.name || message.from?.address || '(no sender)'
      notify(from, message.subject || '(no subject)', message._id, onOpen)
    }
  }, [latest, isOn])
}

function notify(
  title: string,
  body: string,
  id: string,
  open: { current: (id: string) => void },
): void {
  try {
    const notification = new Notification(title, { body, tag: id })
    notification.onclick = () => {
      window.focus()
      open.current(id)
      notification.close()
    }
  } catch {
    // Chrome on Android has the constructor, but allows notifications only through a service worker.
  }
}
