/** Starts the app: the session is looked for while the first page is still being loaded. */
import './styles.css'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { watchOtherTabs } from '#web/lib/api/session.ts'
import { startSession } from '#web/lib/api/start-session.ts'
import { reloadOnUpgrade } from '#web/lib/reload-on-upgrade.ts'
import { watchTheme } from '#web/lib/theme.ts'
import { shareStyleNonce } from '#web/ui/style-nonce.ts'
import { looksForSession, needsSession } from './paths.ts'
import { routes } from './routes.tsx'

shareStyleNonce()
reloadOnUpgrade()
watchTheme()
watchOtherTabs()
if (looksForSession(location.pathname)) void startSession(needsSession(location.pathname))

const root = document.getElementById('root')
if (root)
  createRoot(root).render(
    // A page is shown in one piece as soon as it is there; as a transition it would be rendered in slices.
    <RouterProvider router={createBrowserRouter(routes)} useTransitions={false} />,
  )
