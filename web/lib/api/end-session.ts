import { logout } from '#contract/auth.ts'
import { call } from './api.ts'
import { signOut } from './session.ts'

/** Logs out. When the server cannot be reached, the session stays, because it would still be valid there. */
export async function endSession(): Promise<void> {
  await call(logout, {})
  signOut()
}
