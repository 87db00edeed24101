/** On a phone a letter fills the page, so Back closes it, and not the message behind: it has an entry of its own in the history. */
import { useEffect, useRef } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'
import { useMediaQuery } from '#web/ui/use-media-query.ts'
import type { Letters } from './use-letters.ts'

const FILLS_PAGE = '(max-width: 639px)'

const isEntryOfLetter = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'isWriting' in state && state.isWriting === true

/** `draftId`: of the draft that the address names; the address is its entry. */
export function useBackCloses(letters: Letters, draftId: string): void {
  const navigate = useNavigate()
  const kind = useNavigationType()
  const { search, state } = useLocation()
  const isPhone = useMediaQuery(FILLS_PAGE)
  const inUse = letters.letters.findLast(({ place }) => place !== 'minimised')
  const isFilling = isPhone && inUse !== undefined
  const hasEntry = isEntryOfLetter(state)
  const before = useRef({ hasEntry: false, draftId: '' })
  const isLeaving = useRef(false)
  const push = () => void navigate({ search }, { state: { ...state, isWriting: true } })
  // biome-ignore lint/correctness/useExhaustiveDependencies: after a step in the history, and when a letter opens or closes
  useEffect(() => {
    const last = before.current
    before.current = { hasEntry, draftId }
    if (isLeaving.current) return
    const wentBack =
      kind === 'POP' &&
      ((last.hasEntry && !hasEntry) || (last.draftId !== '' && draftId === '' && !hasEntry))
    if (isFilling && wentBack) {
      isLeaving.current = true
      const leave = letters.handles.current.get(inUse?.request.key ?? '')?.leave
      void Promise.resolve(leave ? leave() : letters.close(inUse?.request.key ?? '')).finally(
        () => {
          isLeaving.current = false
          // The writer is asked something first: Back closes the letter again.
          if (letters.latest.current.some(({ place }) => place !== 'minimised')) push()
        },
      )
    } else if (isFilling && !hasEntry && draftId === '') push()
    else if (!isFilling && hasEntry && last.hasEntry) void navigate(-1)
  }, [isFilling, hasEntry, draftId])
}
