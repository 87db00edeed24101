/** What is typed while a letter opens goes into the field of it that takes the focus, and is no shortcut. */

/** Whether keys write into this element. */
export const isEditable = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    /^(?:TEXTAREA|SELECT)$/.test(target.tagName) ||
    (target instanceof HTMLInputElement && target.type !== 'checkbox'))

let stopLast = () => {}

/** Until a field of the letter has the focus, or the writer turns to something else. The returned function ends it, too. */
export function catchTyping(letter: string): () => void {
  stopLast()
  const listening = new AbortController()
  const stop = () => listening.abort()
  stopLast = stop
  const keys: string[] = []
  const isInLetter = (target: EventTarget | null) =>
    target instanceof Element && target.closest(`[data-docked="${letter}"]`) !== null
  const catchKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return stop()
    if (!writes(event) || (isEditable(event.target) && !isInLetter(event.target))) return
    event.preventDefault()
    event.stopImmediatePropagation()
    // The key that opened the letter may still be down.
    if (!event.repeat) keys.push(event.key)
  }
  const giveKeys = ({ target }: FocusEvent) => {
    if (!isEditable(target) || !isInLetter(target)) return
    // After what the field itself does when it takes the focus.
    setTimeout(() => {
      if (listening.signal.aborted) return
      stop()
      for (const key of keys) press(key)
    })
  }
  const turnAway = ({ target }: PointerEvent) => !isInLetter(target) && stop()
  const { signal } = listening
  addEventListener('keydown', catchKey, { capture: true, signal })
  addEventListener('focusin', giveKeys, { signal })
  addEventListener('pointerdown', turnAway, { signal })
  return stop
}

const writes = (event: KeyboardEvent): boolean => {
  if (event.isComposing || event.metaKey) return false
  if ((event.ctrlKey || event.altKey) && !event.getModifierState('AltGraph')) return false
  return [...event.key].length === 1 || event.key === 'Enter' || event.key === 'Backspace'
}

/** Presses the key in the field with the focus: first for the field's own handlers, then as the browser would. */
const press = (key: string): void => {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
  if (document.activeElement?.dispatchEvent(event) !== true) return
  if (key === 'Backspace') document.execCommand('delete')
  else document.execCommand('insertText', false, key === 'Enter' ? '\n' : key)
}
