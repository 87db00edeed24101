/**
 * Who is signed in, for every part of the app. Knows nothing of pages: the layouts read the
 * status and lead people to where they belong.
 */
import { useSyncExternalStore } from 'react'
import type { SignedIn, User } from '#contract/auth.ts'
import { toast } from '../toast-store.ts'
import { browserTokens } from './access-token.ts'
import { ApiError } from './api-error.ts'
import { chosenWorkspace } from './chosen-workspace.ts'

export type Session =
  /** Nobody has asked yet. */
  | { status: 'unknown' }
  | { status: 'starting' }
  /** `hasLeft` after log-out: the page that was left is not where the next login leads. */
  | { status: 'anonymous'; hasLeft: boolean }
  | { status: 'signed-in'; user: User }

// Other tabs see this key go when one of them logs out. It also tells the login page whether
// somebody was signed in here, so that it shows its form at once when nobody was.
const HINT = 'mailstead-signed-in'

let session: Session = { status: 'unknown' }
const listeners = new Set<() => void>()

function become(next: Session): void {
  session = next
  for (const listener of listeners) listener()
}

export const readSession = (): Session => session
export const wasSignedIn = (): boolean => localStorage.getItem(HINT) !== null

/** Answers how to stop listening. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useSession = (): Session => useSyncExternalStore(onSessionChange, readSession)

/** After login, a verified link or third-party sign-in. */
export function signIn(answer: SignedIn): void {
  // Of whoever was here before; the server knows where this user was last.
  chosenWorkspace.forget()
  browserTokens.write(answer.token, answer.tokenExpiresIn)
  localStorage.setItem(HINT, '1')
  become({ status: 'signed-in', user: answer.user })
}

export function sessionStarting(): void {
  become({ status: 'starting' })
}

export function sessionRenewed(answer: SignedIn): void {
  localStorage.setItem(HINT, '1')
  become({ status: 'signed-in', user: answer.user })
}

/** Keeps the shown name right after the profile has changed. */
export function userChanged(user: User): void {
  if (session.status === 'signed-in') become({ status: 'signed-in', user })
}

/** The refresh failed. When the server could not be reached a signed-in user stays: the next call tries again. */
export function sessionEnded(error: unknown): void {
  const wasIn = session.status === 'signed-in'
  const isRefused = error instanceof ApiError && error.type === 'REFRESH'
  if (wasIn && !isRefused) return
  if (isRefused && error.message === 'JWT_EXPIRED') {
    toast({
      title: 'Session Expired!!',
      description: 'Your session has been expired',
      variant: 'error',
    })
  } else if (isRefused && wasIn) {
    toastUnauthorized()
  }
  forget(false)
}

export function toastUnauthorized(): void {
  toast({
    title: 'Unauthorized',
    description: 'You are not authorized to access this page',
    variant: 'error',
  })
}

/** After log-out. */
export function signOut(): void {
  browserTokens.remove()
  forget(true)
}

function forget(hasLeft: boolean): void {
  localStorage.removeItem(HINT)
  chosenWorkspace.forget()
  become({ status: 'anonymous', hasLeft })
}

/** Log-out in one tab is log-out in all. */
export function watchOtherTabs(): void {
  addEventListener('storage', (event) => {
    const isGone = event.key === HINT && event.newValue === null
    if (isGone && session.status === 'signed-in') forget(true)
  })
}
