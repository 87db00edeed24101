/** Where the reader is, kept in the address: back, reload and copied links keep mailbox, folder, search and message. */
import { useCallback, useMemo } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { paths } from '#web/paths.ts'

export type Place = { mailbox: string; folder: string; message: string; q: string }
export type Go = (next: Partial<Place>, options?: { replace?: boolean }) => void

/** What a step forgets: another folder has no open message, another mailbox no folder. */
export function placeAfter(place: Place, next: Partial<Place>): Place {
  if (next.mailbox !== undefined && next.mailbox !== place.mailbox)
    return { folder: '', message: '', q: '', ...next, mailbox: next.mailbox }
  if (next.folder !== undefined && next.folder !== place.folder)
    return { ...place, message: '', q: '', ...next }
  return { ...place, ...next }
}

export function usePlace(): { place: Place; go: Go; addressOf: (next: Partial<Place>) => string } {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const [mailbox, folder, message, q] = ['mailbox', 'folder', 'message', 'q'].map(
    (name) => query.get(name) ?? '',
  ) as [string, string, string, string]
  const place = useMemo(() => ({ mailbox, folder, message, q }), [mailbox, folder, message, q])
  const addressOf = useCallback(
    (next: Partial<Place>) => paths.viewMail(placeAfter(place, next)),
    [place],
  )
  const go = useCallback<Go>(
    (next, options = {}) => void navigate(addressOf(next), options),
    [navigate, addressOf],
  )
  return { place, go, addressOf }
}
