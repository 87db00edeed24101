/** What people, or their password managers, filled in before the app was there. */
import { type ReactNode, useEffect } from 'react'

type Typed = { field: HTMLInputElement; value: string }

export const typedIn = (root: HTMLElement): Typed[] =>
  [...root.querySelectorAll('input')]
    .filter((field) => field.value !== field.defaultValue)
    .map((field) => ({ field, value: field.value }))

/** The forms of the app begin empty and empty their fields; typed anew, they know. */
export function KeepTyped({ typed, children }: { typed: Typed[]; children: ReactNode }) {
  // The effects of a parent come after those of its children, which take their fields over.
  useEffect(() => {
    for (const { field, value } of typed) {
      if (field.value === value) continue
      field.value = value
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }
  }, [typed])
  return children
}
