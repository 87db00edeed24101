/** Starts the app: takes over the page that the server drew, or draws it, and looks for the session. */
import './styles.css'
import { flushSync } from 'react-dom'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { readSession, watchOtherTabs } from '#web/lib/api/session.ts'
import { startSession } from '#web/lib/api/start-session.ts'
import { forgetAtLogOut } from '#web/lib/local-store.ts'
import { watchPresses } from '#web/lib/pressed.ts'
import { reloadOnUpgrade } from '#web/lib/reload-on-upgrade.ts'
import { watchTheme } from '#web/lib/theme.ts'
import { shareStyleNonce } from '#web/ui/style-nonce.ts'
import { earlyInputIn, ReplayEarlyInput, takeOver } from './first-view/take-over.tsx'
import { looksForSession, needsSession } from './paths.ts'
import { routes } from './routes.tsx'

shareStyleNonce()
reloadOnUpgrade()
watchTheme()
watchPresses()
watchOtherTabs()
forgetAtLogOut()
await pageParsed()
const root = document.getElementById('root')
if (root) await start(root)

/** On a slow connection the app is there before the rest of the page: the end of the view, and the answers after it. */
function pageParsed(): Promise<void> {
  return new Promise((parsed) => {
    if (document.readyState !== 'loading') return parsed()
    document.addEventListener('DOMContentLoaded', () => parsed(), { once: true })
  })
}

async function start(root: HTMLElement): Promise<void> {
  const isDrawn = await takeOver(root, routes)
  const renew = () => {
    if (looksForSession(location.pathname)) void startSession(needsSession(location.pathname))
  }
  // Before the first calls, which wait for a token where there is none. Who is not known to be signed in is drawn as a visitor.
  const isKnown = readSession().status === 'signed-in'
  if (isKnown) renew()
  // A page is shown in one piece as soon as it is there; as a transition it would be rendered in slices.
  const app = <RouterProvider router={createBrowserRouter(routes)} useTransitions={false} />
  if (isDrawn) {
    // At once: an answer or an event in between would make the page differ from the server's drawing.
    flushSync(() => {
      hydrateRoot(root, <ReplayEarlyInput early={earlyInputIn(root)}>{app}</ReplayEarlyInput>, {
        onRecoverableError,
      })
    })
  }
  if (!isKnown) renew()
  if (isDrawn) return
  // The drawn page is replaced, and a pressed button with it; from now on the app handles clicks.
  globalThis.takePressed?.()
  createRoot(root).render(app)
}

/**
 * React renders a part again that differs from the server's HTML, and typed text in it is lost: this is reported as an uncaught
 * error, on which every story fails. Error 419 is no fault: the server leaves lazy parts to the browser.
 */
function onRecoverableError(error: unknown): void {
  if (!String(error).includes('React error #419')) reportError(error)
}
