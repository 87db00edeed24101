/** Where the reader is, kept in the URL: back, reload and copied links keep mailbox, folder, search and message. */
import { useCallback, useMemo } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { useHistoryState } from '#web/lib/history-state.ts'
import { paths } from '#web/paths.ts'

/** `only` is '1' when the search is limited to the open folder. */
export type Place = { mailbox: string; folder: string; message: string; q: string; only: string }
/** `isAutoOpened`: the message opened by itself in place of one that was moved away; the reader has not acted on it yet. */
export type Go = (
  next: Partial<Place>,
  options?: { replace?: boolean; state?: { isAutoOpened: boolean } },
) => void

/** The place after a step. Another folder closes the message; another mailbox also resets the folder. The folder of a search ends the search. */
export function placeAfter(place: Place, next: Partial<Place>): Place {
  if (next.mailbox !== undefined && next.mailbox !== place.mailbox)
    return { folder: '', message: '', q: '', only: '', ...next, mailbox: next.mailbox }
  if (next.folder !== undefined && next.folder !== place.folder)
    return { ...place, message: '', q: '', only: '', ...next }
  if (next.folder !== undefined && next.message === undefined && place.q !== '')
    return { ...place, message: '', q: '', only: '', ...next }
  return { ...place, ...next }
}

export function usePlace(): {
  place: Place
  isAutoOpened: boolean
  go: Go
  addressOf: (next: Partial<Place>) => string
} {
  const [query] = useSearchParams()
  const state = useHistoryState()
  const isAutoOpened =
    typeof state === 'object' &&
    state !== null &&
    'isAutoOpened' in state &&
    state.isAutoOpened === true
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
  return { place, isAutoOpened, go, addressOf }
}
