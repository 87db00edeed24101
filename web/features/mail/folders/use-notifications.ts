/** Tells of new mail outside the page, where the reader has asked for that in this browser. */
import { focusManager, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { listMessages } from '#contract/messages.ts'
import { ahead } from '#web/lib/api/query-client.ts'
import { queryOf, useApi } from '#web/lib/api/use-api.ts'

const KEY = 'mailstead-notify'
const MOST_AT_ONCE = 3

/** 'none': this browser cannot. */
export type NotifyState = 'none' | 'off' | 'on' | 'blocked'

const canNotify = (): boolean => typeof window !== 'undefined' && 'Notification' in window

const stateNow = (): NotifyState => {
  if (!canNotify()) return 'none'
  if (Notification.permission === 'denied') return 'blocked'
  const isWanted = localStorage.getItem(KEY) === 'on'
  return Notification.permission === 'granted' && isWanted ? 'on' : 'off'
}

const newestOf = (id: string) => ({ params: { id }, query: { folder: 'inbox', limit: 5 } })

type NotifyChoice = { state: NotifyState; turn: (isOn: boolean) => Promise<void> }

/** The browser asks only when the button is pressed, never by itself. */
export function useNotifyChoice(mailboxId: string): NotifyChoice {
  const client = useQueryClient()
  // Known after the first drawing, which the server does without a browser.
  const [state, setState] = useState<NotifyState>('none')
  useEffect(() => setState(stateNow()), [])
  const turn = useCallback(
    async (isOn: boolean) => {
      if (isOn && Notification.permission === 'default') await Notification.requestPermission()
      if (isOn) localStorage.setItem(KEY, 'on')
      else localStorage.removeItem(KEY)
      // It is on when it is known what is there already: what comes from then on is told.
      if (isOn) await client.prefetchQuery(ahead(queryOf(listMessages, newestOf(mailboxId))))
      setState(stateNow())
    },
    [client, mailboxId],
  )
  return { state, turn }
}

const HIDDEN_MS = 60_000

/** Of a query: events reach only pages that are seen; a hidden one asks now and then, for its title and notifications. */
export const whileHidden = {
  refetchInterval: () => (focusManager.isFocused() ? false : HIDDEN_MS),
  refetchIntervalInBackground: true,
} as const

export function useNotifications(
  mailboxId: string,
  isOn: boolean,
  open: (id: string) => void,
): void {
  const asked = { enabled: isOn, ...whileHidden }
  const latest = useApi(listMessages, newestOf(mailboxId), asked).data?.items
  const newest = useRef<string | null>(null)
  const onOpen = useRef(open)
  useEffect(() => {
    onOpen.current = open
  })
  useEffect(() => {
    // What comes while it is off is not told later.
    if (!isOn) newest.current = null
    if (!latest || !isOn) return
    const before = newest.current
    newest.current = latest[0]?.date ?? ''
    // What is there already when the page opens is no news, nor is what is looked at.
    if (before === null || document.hasFocus()) return
    const fresh = latest.filter(({ date, isRead }) => date > before && !isRead)
    for (const message of fresh.slice(0, MOST_AT_ONCE)) {
      const from = message.from?.name || message.from?.address || '(no sender)'
      tell(from, message.subject || '(no subject)', message._id, onOpen)
    }
  }, [latest, isOn])
}

function tell(
  title: string,
  body: string,
  id: string,
  open: { current: (id: string) => void },
): void {
  try {
    const shown = new Notification(title, { body, tag: id })
    shown.onclick = () => {
      window.focus()
      open.current(id)
      shown.close()
    }
  } catch {
    // Browsers of phones have the word, but tell only through a service worker.
  }
}
