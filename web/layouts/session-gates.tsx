/** Which pages visitors and users may open, and where they are redirected otherwise. */
import { useEffect, useState } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import { useFactorDue } from '#web/lib/api/factor-due.ts'
import { useSession, wasSignedIn } from '#web/lib/api/session.ts'
import { startSession } from '#web/lib/api/start-session.ts'
import { isHoldersPath, paths, returnPath } from '#web/paths.ts'
import { useInBrowser } from '#web/ui/use-in-browser.ts'
import { RequiredFactor } from './required-factor.tsx'
import { Splash } from './root-layout.tsx'

/** The page that was requested before login, kept in the history state. */
export type FromState = { from?: unknown } | null

/** Pages that need a session. The holder of a mailbox is redirected from all others to its mail. */
export function SignedInOnly() {
  const session = useSession()
  const location = useLocation()
  const isFactorDue = useFactorDue()
  const isUnknown = session.status === 'unknown'
  useEffect(() => {
    if (isUnknown) void startSession(true)
  }, [isUnknown])
  if (session.status === 'signed-in') {
    if (isFactorDue) return <RequiredFactor />
    const isElsewhere = session.user.mailboxId && !isHoldersPath(location.pathname)
    return isElsewhere ? <Navigate to={paths.viewMail()} replace /> : <Outlet />
  }
  if (session.status !== 'anonymous') return <Splash />
  const from = location.pathname + location.search + location.hash
  return <Navigate to={paths.login()} replace {...(session.hasLeft ? {} : { state: { from } })} />
}

/** Login and sign-up: a signed-in user is redirected to the requested page. */
export function VisitorsOnly() {
  const session = useSession()
  // true: the server found no session and drew the form. It stays, with typed text, while the app checks the session again.
  const [isDrawn] = useState(useInBrowser(() => false, true))
  const location = useLocation()
  if (session.status === 'signed-in') {
    const state = location.state as FromState
    return <Navigate to={returnPath(state?.from)} replace />
  }
  if (!isDrawn && session.status === 'starting' && wasSignedIn()) return <Splash />
  return <Outlet />
}

export function Entrance() {
  const session = useSession()
  if (session.status === 'signed-in') return <Navigate to={paths.dashboard()} replace />
  if (session.status === 'anonymous') return <Navigate to={paths.login()} replace />
  return <Splash />
}
