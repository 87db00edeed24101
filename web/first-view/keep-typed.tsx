/** What people, or their password managers, filled in before the app was there. */
import { type ReactNode, useEffect } from 'react'

type Typed = { field: HTMLInputElement; value: string }

export const typedIn = (root: HTMLElement): Typed[] =>
  [...root.querySelectorAll('input')]
    .filter((field) => field.value !== field.defaultValue)
    .map((field) => ({ field, value: field.value }))

/** The forms of the app begin empty and know nothing of it, so it is typed again. */
export function KeepTyped({ typed, children }: { typed: Typed[]; children: ReactNode }) {
  // The effects of a parent come after those of its children, which take their fields over.
  useEffect(() => {
    for (const { field, value } of typed) typeInto(field, value)
  }, [typed])
  return children
}

/** React takes an input event for news only when the value differs from the last one that it saw set on the element. */
function typeInto(field: HTMLInputElement, value: string): void {
  field.value = ''
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
