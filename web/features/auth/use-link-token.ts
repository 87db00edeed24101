import { useEffect, useState } from 'react'

/** The token of a mailed link. It is removed from the URL at once, so that it stays neither in the history nor on the screen. */
export function useLinkToken(): string {
  const [token] = useState(() => new URLSearchParams(location.search).get('token') ?? '')
  useEffect(() => {
    history.replaceState(history.state, '', location.pathname)
  }, [])
  return token
}
