/** The letters that are being written: what opens one, shows one and closes one. */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ComposeRequest } from '#web/features/compose/compose-start.ts'
import {
  dockWidth,
  type Letter,
  type LetterHandle,
  type LetterPlace,
  letterInUse,
  MAX_LETTERS,
  movedTo,
  roomFor,
  shown,
} from '#web/features/compose/windows/letters.ts'
import { slotFor, slotLeft } from '#web/features/compose/windows/thread-slot.tsx'
import { catchTyping } from './catch-typing.ts'

export type NewRequest = Omit<ComposeRequest, 'key'>

/** Of a letter without recipients and text; any number of them may be open once something is written. */
export const NEW_MESSAGE = 'new message'

let openings = 0

const isInThread = ({ request, isPoppedOut }: Letter): boolean =>
  !isPoppedOut && slotFor(request.answers) !== null

const roomBeside = (letters: readonly Letter[]): number =>
  roomFor(dockWidth(innerWidth, letters.some(isInThread) ? slotLeft() : null))

export type Letters = ReturnType<typeof useLetters>

export function useLetters() {
  const [letters, setLetters] = useState<readonly Letter[]>([])
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const handles = useRef(new Map<string, LetterHandle>())
  const latest = useRef(letters)
  const change = (next: (letters: readonly Letter[]) => readonly Letter[]) => {
    latest.current = next(latest.current)
    setLetters(latest.current)
  }
  const onOpen = useCallback((key: string, handle: LetterHandle | null) => {
    if (handle) handles.current.set(key, handle)
    else handles.current.delete(key)
    setOpened(new Set(handles.current.keys()))
  }, [])
  const show = (key: string) => {
    const letter = latest.current.find(({ request }) => request.key === key)
    if (letter && !isInThread(letter)) change((all) => shown(all, key, roomBeside(all)))
    focusOn(key)
  }
  /** An open letter that means the same. */
  const openFor = ({ about, draftId }: NewRequest) =>
    latest.current.find(({ request }) => {
      const handle = handles.current.get(request.key)
      if (draftId !== undefined && handle?.messageId() === draftId) return true
      if (request.about !== about) return false
      return about !== NEW_MESSAGE || (handle?.isUntouched() ?? true)
    })
  const stopCatching = useRef(() => {})
  const open = async (next: NewRequest): Promise<void> => {
    const same = openFor(next)
    if (same) return show(same.request.key)
    openings += 1
    const key = `opening ${openings}`
    const stop = catchTyping(key)
    stopCatching.current = stop
    const [oldest] = latest.current
    const leave =
      latest.current.length >= MAX_LETTERS && handles.current.get(oldest?.request.key ?? '')?.leave
    // No other opens while the oldest cannot be saved.
    if (leave && !(await leave())) return stop()
    const request = { ...next, prepare: preparing(next, stop), key }
    const letter: Letter = { request, place: 'minimised', isPoppedOut: false }
    change((all) =>
      isInThread(letter) ? [...all, letter] : shown([...all, letter], key, roomBeside(all)),
    )
  }
  const place = (key: string, next: LetterPlace) => {
    change((all) => {
      const moved = movedTo(all, key, next)
      return next === 'minimised' ? moved : shown(moved, key, roomBeside(moved))
    })
    if (next !== 'minimised') focusOn(key)
  }
  const close = (key: string) => {
    stopCatching.current()
    const closed = latest.current.find(({ request }) => request.key === key)
    change((all) => all.filter((letter) => letter !== closed))
    return closed
  }
  useRoom(change)
  return {
    letters,
    latest,
    handles,
    onOpen,
    open,
    place,
    close,
    /** true while a form is loading: keys pressed now are meant for it. */
    isLoading: letters.some(({ request }) => !opened.has(request.key)),
    inUse: () => letterInUse(latest.current),
  }
}

/** A letter that cannot be opened takes no keys. */
const preparing =
  ({ prepare }: NewRequest, onFailure: () => void) =>
  async () => {
    try {
      return await prepare()
    } catch (error) {
      onFailure()
      throw error
    }
  }

/** The window became narrower: what no longer has room is minimised. */
function useRoom(change: (next: (letters: readonly Letter[]) => readonly Letter[]) => void): void {
  const latest = useRef(change)
  useEffect(() => {
    latest.current = change
  })
  useEffect(() => {
    const fit = () =>
      latest.current((all) => {
        const inUse = all.findLast(({ place }) => place !== 'minimised')
        return inUse ? shown(all, inUse.request.key, roomBeside(all)) : all
      })
    addEventListener('resize', fit)
    return () => removeEventListener('resize', fit)
  }, [])
}

const focusOn = (key: string): void => {
  requestAnimationFrame(() => {
    const dock = document.querySelector<HTMLElement>(`[data-docked="${key}"]`)
    dock?.scrollIntoView({ block: 'nearest' })
    const text = dock?.querySelector<HTMLElement>('[contenteditable=true]')
    ;(text ?? dock)?.focus({ preventScroll: true })
  })
}
