/** Runs in the browser: prepares the page that the server drew for hydration. */

import type { DehydratedState } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { matchRoutes, type RouteObject } from 'react-router'
import { FIRST_ANSWERS_ID, type FirstAnswers } from '#contract/first-view.ts'
import { sessionKnown } from '#web/lib/api/session.ts'

/** Class that first-view.js sets when the drawn page is not for this tab: other workspace, or for visitors in a session. */
const NOT_MINE = 'not-mine'

/** @returns whether the app can hydrate `root`; otherwise `root` is empty. */
export async function takeOver(root: HTMLElement, routes: RouteObject[]): Promise<boolean> {
  const page = document.documentElement.classList
  if (root.childElementCount === 0 || page.contains(NOT_MINE)) {
    root.replaceChildren()
    page.remove(NOT_MINE)
    return false
  }
  applyStyles(root)
  await Promise.all([loadRoutes(routes), hydrateFromPage()])
  return true
}

/** The Content-Security-Policy forbids style attributes in HTML but allows styles set by script. */
function applyStyles(root: HTMLElement): void {
  for (const element of root.querySelectorAll<HTMLElement>('[data-style]')) {
    element.style.cssText = element.dataset.style ?? ''
    delete element.dataset.style
  }
}

/** The router renders only loaded routes at once. */
async function loadRoutes(routes: RouteObject[]): Promise<void> {
  const lazyRoutes = matchRoutes(routes, location)?.map(({ route }) => route) ?? []
  await Promise.all(
    lazyRoutes.map(async (route) => {
      if (typeof route.lazy !== 'function') return
      Object.assign(route, await route.lazy())
      delete route.lazy
    }),
  )
}

async function hydrateFromPage(): Promise<void> {
  const element = document.getElementById(FIRST_ANSWERS_ID)
  if (!element?.textContent) return
  // Part of our own page, so as trusted as this script.
  const { user, queries, heardUntil }: FirstAnswers = JSON.parse(element.textContent)
  element.remove()
  const [{ hydrateAnswers }, { listenFrom }] = await Promise.all([
    import('#web/lib/api/query-client.ts'),
    import('#web/lib/live/live-events.ts'),
  ])
  sessionKnown(user)
  hydrateAnswers(queries as DehydratedState)
  listenFrom(heardUntil)
}

type Typed = { field: HTMLInputElement; value: string }
/** A button, a link, or a field in which Enter was pressed. `isHeld`: the pointer is still down on the button, so its click will follow. */
type Pressed = { button: HTMLElement; isHeld: boolean }
type EarlyInput = { typed: Typed[]; takePressed: () => Pressed | null }

declare global {
  /** Set by first-view.js: stops its listeners and returns the button that was pressed last. */
  var takePressed: (() => Pressed | null) | undefined
}

export const earlyInputIn = (root: HTMLElement): EarlyInput => ({
  typed: [...root.querySelectorAll('input')]
    .filter((field) => field.value !== field.defaultValue)
    .map((field) => ({ field, value: field.value })),
  takePressed: () => globalThis.takePressed?.() ?? null,
})

/**
 * Repeats input from before the app started: text that the user or a password manager entered, and a pressed button. The app's
 * forms start empty, and its buttons had no handlers yet.
 */
export function ReplayEarlyInput({ early, children }: { early: EarlyInput; children: ReactNode }) {
  // Effects of a parent run after those of its children, which register their fields.
  useEffect(() => {
    for (const { field, value } of early.typed) typeInto(field, value)
    const pressed = early.takePressed()
    // Behind the render of what was typed, which is in a microtask too: a form that was sent by Enter sends it.
    if (pressed) queueMicrotask(() => pressed.button.isConnected && press(pressed))
  }, [early])
  return children
}

/** React handles an input event only when the value differs from the last one that it set on the element. */
function typeInto(field: HTMLInputElement, value: string): void {
  field.value = ''
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Menus open on pointerdown, tabs change on mousedown, other buttons act on click; on a link those begin a swipe. */
function press({ button, isHeld }: Pressed): void {
  if (button instanceof HTMLInputElement) {
    button.form?.requestSubmit()
    return
  }
  const how = { bubbles: true, cancelable: true, button: 0 }
  if (!(button instanceof HTMLAnchorElement)) {
    button.dispatchEvent(new PointerEvent('pointerdown', how))
    button.dispatchEvent(new MouseEvent('mousedown', how))
  }
  if (!isHeld) button.click()
}
