/**
 * Who is signed in, for every part of the app. Knows nothing of pages: the layouts read the
 * status and lead people to where they belong.
 */
import { useSyncExternalStore } from 'react'
import type { SignedIn, User } from '#contract/auth.ts'
import { toast } from '../toast-store.ts'
import { browserTokens, chosenWorkspace } from './access-token.ts'
import { ApiError, LOGGED_OUT } from './api-error.ts'

export type Session =
  /** Nobody has asked yet. */
  | { status: 'unknown' }
  | { status: 'starting' }
  /** `hasLeft` after log-out: the page that was left is not where the next login leads. */
  | { status: 'anonymous'; hasLeft: boolean }
  | { status: 'signed-in'; user: User }

// Other tabs see this key change when the session of one of them ends, and how. It also tells the
// login page whether somebody was signed in here, so that it shows its form at once when nobody was.
const HINT = 'mailstead-signed-in'
const IN = '1'
const LEFT = 'left'

let session: Session = { status: 'unknown' }
const listeners = new Set<() => void>()

function become(next: Session): void {
  session = next
  for (const listener of listeners) listener()
}

export const readSession = (): Session => session
export const wasSignedIn = (): boolean => localStorage.getItem(HINT) === IN
/** In this tab or another one. */
export const hasLeft = (): boolean => localStorage.getItem(HINT) === LEFT

/** Answers how to stop listening. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useSession = (): Session =>
  useSyncExternalStore(onSessionChange, readSession, readSession)

/** After login, a verified link or third-party sign-in. */
export function signIn(answer: SignedIn): void {
  // Of whoever was here before; the server knows where this user was last.
  chosenWorkspace.forget()
  browserTokens.write(answer.token, answer.tokenExpiresIn)
  localStorage.setItem(HINT, IN)
  become({ status: 'signed-in', user: answer.user })
}

/** The server knew who asked for the page, and has drawn it for them. */
export function sessionKnown(user: User): void {
  become({ status: 'signed-in', user })
}

/** After the server has drawn a page: whoever is next may be somebody else. */
export function sessionUnknown(): void {
  become({ status: 'unknown' })
}

export function sessionStarting(): void {
  become({ status: 'starting' })
}

export function sessionRenewed(answer: SignedIn): void {
  localStorage.setItem(HINT, IN)
  become({ status: 'signed-in', user: answer.user })
}

/** Keeps the shown name right after the profile has changed. */
export function userChanged(user: User): void {
  if (session.status === 'signed-in') become({ status: 'signed-in', user })
}

/** The refresh failed. While the server cannot be reached nobody's session is over: the next call, or visit, tries again. */
export function sessionEnded(error: unknown): void {
  const wasIn = session.status === 'signed-in'
  if (!(error instanceof ApiError && error.type === 'REFRESH')) {
    if (!wasIn) become({ status: 'anonymous', hasLeft: false })
    return
  }
  if (error.message === LOGGED_OUT) {
    forget(true)
    return
  }
  if (error.message === 'JWT_EXPIRED') toastExpired()
  else if (wasIn) toastUnauthorized()
  localStorage.removeItem(HINT)
  forget(false)
}

function toastExpired(): void {
  toast({
    title: 'Session Expired!!',
    description: 'Your session has been expired',
    variant: 'error',
  })
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
  localStorage.setItem(HINT, LEFT)
  forget(true)
}

function forget(hasLeft: boolean): void {
  chosenWorkspace.forget()
  become({ status: 'anonymous', hasLeft })
}

/** A session that ends in one tab has ended in all. Only where it ran out does the next login lead back. */
export function watchOtherTabs(): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key !== HINT || newValue === IN || session.status !== 'signed-in') return
    if (newValue === null) toastExpired()
    forget(newValue === LEFT)
  })
}
