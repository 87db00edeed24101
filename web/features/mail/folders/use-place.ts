/** Where the reader is, kept in the address: back, reload and copied links keep mailbox, folder, search and message. */
import { useCallback, useMemo } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { paths } from '#web/paths.ts'

/** `only` is '1' while a search is in the folder alone. */
export type Place = { mailbox: string; folder: string; message: string; q: string; only: string }
/** `isUnasked`: the message took the place of one that was put away; nobody has turned to it yet. */
export type Go = (
  next: Partial<Place>,
  options?: { replace?: boolean; state?: { isUnasked: boolean } },
) => void

/** What a step forgets: another folder has no open message, another mailbox no folder. */
export function placeAfter(place: Place, next: Partial<Place>): Place {
  if (next.mailbox !== undefined && next.mailbox !== place.mailbox)
    return { folder: '', message: '', q: '', only: '', ...next, mailbox: next.mailbox }
  if (next.folder !== undefined && next.folder !== place.folder)
    return { ...place, message: '', q: '', only: '', ...next }
  return { ...place, ...next }
}

export function usePlace(): {
  place: Place
  isUnasked: boolean
  go: Go
  addressOf: (next: Partial<Place>) => string
} {
  const [query] = useSearchParams()
  const state: unknown = useLocation().state
  const isUnasked =
    typeof state === 'object' && state !== null && 'isUnasked' in state && state.isUnasked === true
  const navigate = useNavigate()
  const [mailbox, folder, message, q, only] = ['mailbox', 'folder', 'message', 'q', 'only'].map(
    (name) => query.get(name) ?? '',
  ) as [string, string, string, string, string]
  const place = useMemo(
    () => ({ mailbox, folder, message, q, only }),
    [mailbox, folder, message, q, only],
  )
  const addressOf = useCallback(
    (next: Partial<Place>) => paths.viewMail(placeAfter(place, next)),
    [place],
  )
  const go = useCallback<Go>(
    (next, options = {}) => void navigate(addressOf(next), options),
    [navigate, addressOf],
  )
  return { place, isUnasked, go, addressOf }
}
