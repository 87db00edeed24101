/** Single keys and pairs of them, as in other mail programs. They sleep while one types or a dialog or menu is open. */
import { useEffect, useRef } from 'react'

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(?:TEXTAREA|SELECT)$/.test(target.tagName) ||
    (target instanceof HTMLInputElement && target.type !== 'checkbox') ||
    target.closest('[data-docked]') !== null)

const isCovered = (): boolean =>
  document.querySelector(
    '[role="dialog"]:not([data-docked]), [role="alertdialog"], [role="menu"]',
  ) !== null

/** Time for the second key of a pair. */
const PAIR_MS = 1500

/**
 * By `event.key`, pairs as 'g i'; an action that answers false leaves the key to the browser. The first key of a pair
 * waits for the second.
 */
export function useShortcuts(actions: Record<string, () => unknown>): void {
  const current = useRef(actions)
  useEffect(() => {
    current.current = actions
  })
  useEffect(() => {
    let first = { key: '', until: 0 }
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (isTyping(event.target) || isCovered()) return
      const isSecond = event.timeStamp < first.until
      const name = isSecond ? `${first.key} ${event.key}` : event.key
      if (event.key !== 'Shift') first = { key: '', until: 0 }
      const act = current.current[name]
      if (act) {
        if (act() !== false) event.preventDefault()
      } else if (Object.keys(current.current).some((known) => known.startsWith(`${name} `)))
        first = { key: name, until: event.timeStamp + PAIR_MS }
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}

export const shortcutGroups: readonly {
  title: string
  keys: readonly (readonly [keys: string, does: string])[]
}[] = [
  {
    title: 'Moving about',
    keys: [
      ['j or ↓', 'Next conversation'],
      ['k or ↑', 'Previous conversation'],
      ['o or Enter', 'Open'],
      ['u or Esc', 'Back to the list'],
      ['n', 'Next message of the conversation'],
      ['p', 'Previous message of the conversation'],
      ['g i', 'Go to Inbox'],
      ['g d', 'Go to Drafts'],
      ['g t', 'Go to Sent'],
      ['g a', 'Go to Archive'],
      ['g j', 'Go to Junk'],
      ['g #', 'Go to Trash'],
      ['/', 'Search'],
    ],
  },
  {
    title: 'Selecting',
    keys: [
      ['x', 'Select, or not'],
      ['Shift and click', 'Select all in between'],
      ['* a', 'Select all that are shown'],
      ['* n', 'Select none'],
    ],
  },
  {
    title: 'Doing',
    keys: [
      ['e', 'Archive'],
      ['#', 'Delete'],
      ['!', 'Junk, or not junk'],
      ['s', 'Star, or not'],
      ['Shift i', 'Mark as read'],
      ['Shift u', 'Mark as unread'],
      ['z', 'Undo'],
    ],
  },
  {
    title: 'Writing',
    keys: [
      ['c', 'Compose'],
      ['r', 'Reply'],
      ['a', 'Reply all'],
      ['f', 'Forward'],
      ['?', 'This list'],
    ],
  },
]
