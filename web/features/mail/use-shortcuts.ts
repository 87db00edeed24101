/** Single keys and pairs of keys, as in other mail programs. Disabled while the user types or a dialog or menu is open. */
import { useEffect, useRef } from 'react'
import { isEditable } from './catch-typing.ts'

const isTyping = (target: EventTarget | null): boolean =>
  isEditable(target) || (target instanceof Element && target.closest('[data-docked]') !== null)

const isDialogOpen = (): boolean =>
  document.querySelector(
    '[role="dialog"]:not([data-docked]), [role="alertdialog"], [role="menu"]',
  ) !== null

/** Time to press the second key of a pair. */
const PAIR_MS = 1500

/**
 * Actions by `event.key`, pairs as 'g i'. An action that returns false leaves the key to the browser. The first key of a pair
 * waits PAIR_MS for the second.
 */
export function useShortcuts(actions: Record<string, (event: KeyboardEvent) => unknown>): void {
  const current = useRef(actions)
  useEffect(() => {
    current.current = actions
  })
  useEffect(() => {
    let first = { key: '', until: 0 }
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (isTyping(event.target) || isDialogOpen()) return
      const isSecond = event.timeStamp < first.until
      const name = isSecond ? `${first.key} ${event.key}` : event.key
      if (event.key !== 'Shift') first = { key: '', until: 0 }
      const act = current.current[name]
      if (act) {
        if (act(event) !== false) event.preventDefault()
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
    title: 'Navigation',
    keys: [
      ['j or ↓', 'Next conversation'],
      ['k or ↑', 'Previous conversation'],
      ['o or Enter', 'Open; on what is open, go into it'],
      ['Space', 'Scroll what is open'],
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
      ['Ctrl k', 'Go anywhere, by its name'],
    ],
  },
  {
    title: 'Selection',
    keys: [
      ['x', 'Select or deselect'],
      ['Shift and click', 'Select all in between'],
      ['* a', 'Select all that are shown'],
      ['* n', 'Select none'],
    ],
  },
  {
    title: 'Actions',
    keys: [
      ['e', 'Archive'],
      ['#', 'Delete'],
      ['!', 'Mark as junk or not junk'],
      ['s', 'Add or remove the star'],
      ['v', 'Move to a folder'],
      ['Shift i', 'Mark as read'],
      ['Shift u', 'Mark as unread'],
      ['z', 'Undo, change by change'],
    ],
  },
  {
    title: 'Writing',
    keys: [
      ['c', 'Compose'],
      ['r', 'Reply'],
      ['a', 'Reply all'],
      ['f', 'Forward'],
      ['Ctrl Enter', 'Send'],
      ['?', 'This list'],
    ],
  },
]
