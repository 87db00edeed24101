import { useEffect, useState } from 'react'
import { useLinkToken } from './use-link-token.ts'

const KEY = 'mailstead-invitation'

/** Kept until the invitation is answered: login and third-party sign-in leave its page and come back. */
export const forgetInvitation = (): void => sessionStorage.removeItem(KEY)

/** The token of the mailed link, stored in this tab only; '' without one. */
export function useInvitationToken(): string {
  const linked = useLinkToken()
  const [token] = useState(() => linked || (sessionStorage.getItem(KEY) ?? ''))
  useEffect(() => {
    if (linked) sessionStorage.setItem(KEY, linked)
  }, [linked])
  return token
}
