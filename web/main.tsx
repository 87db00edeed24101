/** Starts the app: the session is looked for while the first page is still being loaded. */
import './styles.css'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { watchOtherTabs } from '#web/lib/api/session.ts'
import { startSession } from '#web/lib/api/start-session.ts'
import { forgetAtLogOut } from '#web/lib/local-store.ts'
import { reloadOnUpgrade } from '#web/lib/reload-on-upgrade.ts'
import { watchTheme } from '#web/lib/theme.ts'
import { shareStyleNonce } from '#web/ui/style-nonce.ts'
import { earlyIn, RedoEarly, takeOver } from './first-view/take-over.tsx'
import { looksForSession, needsSession } from './paths.ts'
import { routes } from './routes.tsx'

shareStyleNonce()
reloadOnUpgrade()
watchTheme()
watchOtherTabs()
forgetAtLogOut()
const root = document.getElementById('root')
if (root) await start(root)

async function start(root: HTMLElement): Promise<void> {
  const isDrawn = await takeOver(root, routes)
  if (looksForSession(location.pathname)) void startSession(needsSession(location.pathname))
  // A page is shown in one piece as soon as it is there; as a transition it would be rendered in slices.
  const app = <RouterProvider router={createBrowserRouter(routes)} useTransitions={false} />
  if (!isDrawn) {
    // What was pressed is gone with what was drawn; from now on the app hears.
    globalThis.takePressed?.()
    return createRoot(root).render(app)
  }
  hydrateRoot(root, <RedoEarly early={earlyIn(root)}>{app}</RedoEarly>, {
    // What differs from the server's drawing, such as a time of day, is drawn anew.
    onRecoverableError: () => {},
  })
}
