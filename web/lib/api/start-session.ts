/** Looks for a session that this browser already has. */
import { toast } from '../toast-store.ts'
import { refresh } from './api.ts'
import { ApiError } from './api-error.ts'
import { readSession, sessionStarting, toastUnauthorized } from './session.ts'

/** `isProtected`: the visitor asked for a page that needs a session, and is told when there is none. */
export async function startSession(isProtected: boolean): Promise<void> {
  const { status } = readSession()
  if (status === 'starting') return
  // Somebody who is known already stays so meanwhile.
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
