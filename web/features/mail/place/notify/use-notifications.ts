/** Tells of new mail outside the page, where the reader has asked for that in this browser. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { listMessages } from '#contract/messages.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { whileHidden } from '../while-hidden.ts'

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

/** The browser asks only when the button is pressed, never by itself. */
export function useNotifyChoice(): { state: NotifyState; turn: (isOn: boolean) => Promise<void> } {
  // Known after the first drawing, which the server does without a browser.
  const [state, setState] = useState<NotifyState>('none')
  useEffect(() => setState(stateNow()), [])
  const turn = useCallback(async (isOn: boolean) => {
    if (isOn && Notification.permission === 'default') await Notification.requestPermission()
    if (isOn) localStorage.setItem(KEY, 'on')
    else localStorage.removeItem(KEY)
    setState(stateNow())
  }, [])
  return { state, turn }
}

export function useNotifications(
  mailboxId: string,
  isOn: boolean,
  open: (id: string) => void,
): void {
  const args = { params: { id: mailboxId }, query: { folder: 'inbox', limit: 5 } }
  const latest = useApi(listMessages, args, { enabled: isOn, ...whileHidden }).data?.items
  const newest = useRef<string | null>(null)
  const onOpen = useRef(open)
  useEffect(() => {
    onOpen.current = open
  })
  useEffect(() => {
    if (!latest) return
    const before = newest.current
    newest.current = latest[0]?.date ?? ''
    // What is there already when the page opens is no news, nor is what is looked at.
    if (before === null || !isOn || document.hasFocus()) return
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
