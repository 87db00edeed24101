import { useEffect, useState } from 'react'
import { useLinkToken } from './use-link-token.ts'

const KEY = 'mailstead-invitation'

/** Until the invitation is answered: login and third-party sign-in lead away from its page, and back. */
export const forgetInvitation = (): void => sessionStorage.removeItem(KEY)

/** The token of the mailed link, kept in this tab alone; '' where there is none. */
export function useInvitationToken(): string {
  const linked = useLinkToken()
  const [token] = useState(() => linked || (sessionStorage.getItem(KEY) ?? ''))
  useEffect(() => {
    if (linked) sessionStorage.setItem(KEY, linked)
  }, [linked])
  return token
}
