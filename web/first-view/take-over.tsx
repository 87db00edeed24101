/** Runs in the browser: makes what the server drew ready to be taken over by the app. */

import { type ReactNode, useEffect } from 'react'
import { matchRoutes, type RouteObject } from 'react-router'
import { FIRST_ANSWERS_ID, type FirstAnswers } from '#contract/first-view.ts'
import { sessionKnown } from '#web/lib/api/session.ts'

/** Set by first-view.js on a view that is not for this tab: of another workspace, or for visitors while somebody is signed in. */
const NOT_MINE = 'not-mine'

/** @returns whether the app can go on with what is drawn in `root`; otherwise `root` is empty. */
export async function takeOver(root: HTMLElement, routes: RouteObject[]): Promise<boolean> {
  const page = document.documentElement.classList
  if (root.childElementCount === 0 || page.contains(NOT_MINE)) {
    root.replaceChildren()
    page.remove(NOT_MINE)
    return false
  }
  applyStyles(root)
  await Promise.all([loadRoutes(routes), goOnWithAnswers()])
  return true
}

/** The policy of the page allows no style attribute in HTML; set by script it is allowed. */
function applyStyles(root: HTMLElement): void {
  for (const element of root.querySelectorAll<HTMLElement>('[data-style]')) {
    element.style.cssText = element.dataset.style ?? ''
    delete element.dataset.style
  }
}

/** The router draws at once only what needs no loading. */
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

async function goOnWithAnswers(): Promise<void> {
  const element = document.getElementById(FIRST_ANSWERS_ID)
  if (!element?.textContent) return
  // From our own server, in the page itself: as trusted as this script.
  const { user, answers, heardUntil }: FirstAnswers = JSON.parse(element.textContent)
  element.remove()
  const [{ knowAnswers }, { listenFrom }] = await Promise.all([
    import('./known-answers.ts'),
    import('#web/lib/live/live-events.ts'),
  ])
  sessionKnown(user)
  knowAnswers(answers)
  listenFrom(heardUntil)
}

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

/**
 * What people did to a drawn page before the app was there: text that they, or their password managers, filled in, and a button that they pressed.
 * The forms of the app begin empty, and its buttons heard nothing: it is done again.
 */
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
