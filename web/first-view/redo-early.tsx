/** What people did to a drawn page before the app was there: text that they, or their password managers, filled in, and a button that they pressed. */
import { type ReactNode, useEffect } from 'react'

type Typed = { field: HTMLInputElement; value: string }
/** `isHeld`: the pointer is still down on it, so that the click is to come. */
type Pressed = { button: HTMLElement; isHeld: boolean }
type Early = { typed: Typed[]; takePressed: () => Pressed | null }

declare global {
  /** Of first-view.js: ends its watch, and gives the button that was pressed last. */
  var takePressed: (() => Pressed | null) | undefined
}

export const earlyIn = (root: HTMLElement): Early => ({
  typed: [...root.querySelectorAll('input')]
    .filter((field) => field.value !== field.defaultValue)
    .map((field) => ({ field, value: field.value })),
  takePressed: () => globalThis.takePressed?.() ?? null,
})

/** The forms of the app begin empty, and its buttons heard nothing: it is done again. */
export function RedoEarly({ early, children }: { early: Early; children: ReactNode }) {
  // The effects of a parent come after those of its children, which take their fields over.
  useEffect(() => {
    for (const { field, value } of early.typed) typeInto(field, value)
    const pressed = early.takePressed()
    if (pressed?.button.isConnected) press(pressed)
  }, [early])
  return children
}

/** React takes an input event for news only when the value differs from the last one that it saw set on the element. */
function typeInto(field: HTMLInputElement, value: string): void {
  field.value = ''
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Menus open when the pointer goes down, tabs when the mouse does, all others at the click. */
function press({ button, isHeld }: Pressed): void {
  const how = { bubbles: true, cancelable: true, button: 0 }
  button.dispatchEvent(new PointerEvent('pointerdown', how))
  button.dispatchEvent(new MouseEvent('mousedown', how))
  if (!isHeld) button.click()
}
