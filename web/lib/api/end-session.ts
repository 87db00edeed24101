import { logout } from '#contract/auth.ts'
import { call } from './api.ts'
import { signOut } from './session.ts'

/** Logs out. When the server cannot be told, the session stays: a half log-out would be a lie. */
export async function endSession(): Promise<void> {
  await call(logout, {})
  signOut()
}
