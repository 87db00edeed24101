/** The session of this tab, for every part of the app. Knows nothing of pages: the layouts read the status and redirect. */
import { useContext } from 'react'
import type { SignedIn, User } from '#contract/auth.ts'
import { sentenceOf } from '#contract/errors.ts'
import { forgetAddresses } from '../kept-addresses.ts'
import { createStore } from '../store.ts'
import { toast } from '../toast-store.ts'
import { browserTokens, chosenWorkspace } from './access-token.ts'
import { ApiError, LOGGED_OUT } from './api-error.ts'
import { PageRequestContext } from './first-view.ts'

export type Session =
  /** Not checked yet. */
  | { status: 'unknown' }
  | { status: 'starting' }
  /** `hasLeft`: after log-out; then the next login does not return to the present page. */
  | { status: 'anonymous'; hasLeft: boolean }
  | { status: 'signed-in'; user: User }

// Other tabs see this key change when a session ends, and how. The login page reads it too: without a session in this browser
// it shows its form at once.
const HINT = 'mailstead-signed-in'
const IN = '1'
const LEFT = 'left'
const SUSPENDED = 'suspended'

let session: Session = { status: 'unknown' }
const store = createStore()

function become(next: Session): void {
  session = next
  store.changed()
}

export const readSession = (): Session => session
export const wasSignedIn = (): boolean => localStorage.getItem(HINT) === IN
/** true after a log-out in this tab or another one. */
export const hasLeft = (): boolean => localStorage.getItem(HINT) === LEFT

/** Returns a function that stops listening. */
export const onSessionChange = store.listen

export function useSession(): Session {
  const user = useContext(PageRequestContext)?.user
  const drawn = (): Session => (user ? { status: 'signed-in', user } : session)
  return store.use(readSession, drawn)
}

/** The signed-in user's id; null when signed out or not known yet. */
export const signedInUserId = (): string | null =>
  session.status === 'signed-in' ? session.user._id : null

/** After login, a verified link or third-party sign-in. */
export function signIn(answer: SignedIn): void {
  // It belonged to the previous user; the server knows the last workspace of this one.
  chosenWorkspace.forget()
  browserTokens.write(answer.token, answer.tokenExpiresIn)
  localStorage.setItem(HINT, IN)
  become({ status: 'signed-in', user: answer.user })
}

/** Called when the server has rendered the page for a signed-in user. */
export function sessionKnown(user: User): void {
  become({ status: 'signed-in', user })
}

export function sessionStarting(): void {
  become({ status: 'starting' })
}

export function sessionRenewed(answer: SignedIn): void {
  localStorage.setItem(HINT, IN)
  become({ status: 'signed-in', user: answer.user })
}

/** Updates the user's name and picture after a change of the profile. */
export function userChanged(user: User): void {
  if (session.status === 'signed-in') become({ status: 'signed-in', user })
}

/** Called when a refresh failed. Without an answer of the server the session stays: the next call or visit tries again. */
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
  const isSuspended = error.data.reason === 'MAILBOX_SUSPENDED'
  if (isSuspended) toastSuspended()
  else if (error.message === 'JWT_EXPIRED') toastExpired()
  else if (wasIn) toastUnauthorized()
  if (isSuspended) localStorage.setItem(HINT, SUSPENDED)
  else localStorage.removeItem(HINT)
  forget(false)
}

function toastExpired(): void {
  toast({
    title: 'Session Expired!!',
    description: 'Your session has been expired',
    variant: 'error',
  })
}

/** The session did not run out: an administrator ended it. */
function toastSuspended(): void {
  toast({
    title: 'Mailbox suspended',
    description: sentenceOf('MAILBOX_SUSPENDED'),
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
  if (hasLeft) forgetAddresses()
  chosenWorkspace.forget()
  become({ status: 'anonymous', hasLeft })
}

/** Ends the session of this tab when it ends in another one. Only after it expired does the next login return to the page. */
export function watchOtherTabs(): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key !== HINT || newValue === IN || session.status !== 'signed-in') return
    if (newValue === null) toastExpired()
    if (newValue === SUSPENDED) toastSuspended()
    forget(newValue === LEFT)
  })
}
