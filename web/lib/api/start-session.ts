/** Restores the session that this browser has. */
import { toast } from '../toast-store.ts'
import { refresh } from './api.ts'
import { ApiError } from './api-error.ts'
import { readSession, sessionStarting, toastUnauthorized } from './session.ts'

/** `isProtected`: the page needs a session, so a toast says when there is none. */
export async function startSession(isProtected: boolean): Promise<void> {
  const { status } = readSession()
  if (status === 'starting') return
  // A signed-in user stays signed in meanwhile.
  if (status !== 'signed-in') sessionStarting()
  try {
    await refresh()
  } catch (error) {
    const isRefused = error instanceof ApiError && error.type === 'REFRESH'
    if (isProtected && isRefused && error.message !== 'JWT_EXPIRED') toastUnauthorized()
    if (isProtected && !isRefused)
      toast({
        title: 'Something went wrong',
        description: 'Please try again later.',
        variant: 'error',
      })
  }
}
