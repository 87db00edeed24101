/** The letters that are open at once, oldest first, and the place of each: a reply stands in its thread, the others in the dock. */
import type { ComposeRequest } from '../compose-start.ts'

/** In the dock. `full`: over the page. */
export type LetterPlace = 'window' | 'full' | 'minimised'

export type Letter = {
  request: ComposeRequest
  place: LetterPlace
  /** true: it stays in the dock, also while the message that it answers is open. */
  isPoppedOut: boolean
}

/** What an open form lets others do. */
export type LetterHandle = {
  /** Saves and closes the form; returns false when it stays open. */
  leave: () => Promise<boolean>
  addFiles: (files: readonly File[]) => void
  isUntouched: () => boolean
  /** Id of its message in Drafts; null before the first save. */
  messageId: () => string | null
}

/** The next one closes the oldest, which is saved. */
export const MAX_LETTERS = 5

/** Pixels, as in the classes of `dock.tsx`. */
const WINDOW_PX = 672
const GAP_PX = 16
const EDGE_PX = 24

/** How many windows fit side by side. */
export const roomFor = (pageWidth: number): number =>
  Math.max(1, Math.floor((pageWidth - 2 * EDGE_PX + GAP_PX) / (WINDOW_PX + GAP_PX)))

/** The width that the dock has: when a letter is in its thread, the page beside the thread, if a window fits there. */
export const dockWidth = (pageWidth: number, threadLeft: number | null): number =>
  threadLeft !== null && threadLeft >= WINDOW_PX + 2 * EDGE_PX ? threadLeft : pageWidth

/** The letters when this one is shown in the dock: those that have no room beside it are minimised, the oldest first. */
export function shown(letters: readonly Letter[], key: string, room: number): Letter[] {
  let free = room - 1
  return letters
    .toReversed()
    .map((letter) => {
      if (letter.request.key === key)
        return letter.place === 'minimised' ? { ...letter, place: 'window' as const } : letter
      if (letter.place === 'minimised') return letter
      free -= 1
      // A window over the page would hide the one that is shown.
      if (free < 0 || letter.place === 'full') return { ...letter, place: 'minimised' as const }
      return letter
    })
    .toReversed()
}

/** The letters when the writer put this one elsewhere: it leaves its thread. */
export const movedTo = (letters: readonly Letter[], key: string, place: LetterPlace): Letter[] =>
  letters.map((letter) =>
    letter.request.key === key ? { ...letter, place, isPoppedOut: true } : letter,
  )

/** The letter that takes what is dropped on the page: the newest that is not minimised. */
export const letterInUse = (letters: readonly Letter[]): Letter | undefined =>
  letters.findLast(({ place }) => place !== 'minimised') ?? letters.at(-1)
