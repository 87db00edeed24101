/** Runs in the browser: makes what the server drew ready to be taken over by the app. */
import { matchRoutes, type RouteObject } from 'react-router'
import { FIRST_ANSWERS_ID, type FirstAnswers } from '#contract/pages/first-view.ts'
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
