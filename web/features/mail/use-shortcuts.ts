/** Single keys, as in other mail programs. They sleep while one types or a dialog or menu is open. */
import { useEffect, useRef } from 'react'

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

const isCovered = (): boolean =>
  document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null

/** By `event.key`; an action that answers false leaves the key to the browser. */
export function useShortcuts(actions: Record<string, () => unknown>): void {
  const current = useRef(actions)
  useEffect(() => {
    current.current = actions
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const act = current.current[event.key]
      if (!act || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (isTyping(event.target) || isCovered()) return
      if (act() !== false) event.preventDefault()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}

export const shortcutList: readonly (readonly [keys: string, does: string])[] = [
  ['j or ↓', 'Next message'],
  ['k or ↑', 'Previous message'],
  ['Enter', 'Open'],
  ['Esc', 'Back to the list'],
  ['c', 'Compose'],
  ['r', 'Reply'],
  ['a', 'Reply all'],
  ['f', 'Forward'],
  ['e', 'Archive'],
  ['#', 'Delete'],
  ['!', 'Junk, or not junk'],
  ['s', 'Star'],
  ['u', 'Mark as unread'],
  ['/', 'Search'],
  ['?', 'This list'],
]
