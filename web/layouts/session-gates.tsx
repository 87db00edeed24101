/** Who may see which pages, and where everybody else is led. */
import { useEffect } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import { useSession, wasSignedIn } from '#web/lib/api/session.ts'
import { startSession } from '#web/lib/api/start-session.ts'
import { isHoldersPath, paths, returnPath } from '#web/paths.ts'
import { Splash } from './root-layout.tsx'

/** Where the visitor wanted to go before login, kept in the navigation state. */
export type FromState = { from?: unknown } | null

/** Pages that need a user; the holder of a mailbox is led to its mail from all others. */
export function SignedInOnly() {
  const session = useSession()
  const location = useLocation()
  const isUnknown = session.status === 'unknown'
  useEffect(() => {
    if (isUnknown) void startSession(true)
  }, [isUnknown])
  if (session.status === 'signed-in') {
    const isElsewhere = session.user.mailboxId && !isHoldersPath(location.pathname)
    return isElsewhere ? <Navigate to={paths.viewMail()} replace /> : <Outlet />
  }
  if (session.status !== 'anonymous') return <Splash />
  const from = location.pathname + location.search + location.hash
  return <Navigate to={paths.login()} replace {...(session.hasLeft ? {} : { state: { from } })} />
}

/** Login and sign-up: somebody who is signed in goes on to where they wanted. */
export function VisitorsOnly() {
  const session = useSession()
  const location = useLocation()
  if (session.status === 'signed-in') {
    const state = location.state as FromState
    return <Navigate to={returnPath(state?.from)} replace />
  }
  if (session.status === 'starting' && wasSignedIn()) return <Splash />
  return <Outlet />
}

export function Entrance() {
  const session = useSession()
  if (session.status === 'signed-in') return <Navigate to={paths.dashboard()} replace />
  if (session.status === 'anonymous') return <Navigate to={paths.login()} replace />
  return <Splash />
}
