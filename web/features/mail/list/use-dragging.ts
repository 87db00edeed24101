import { useCallback, useRef } from 'react'
import type { Folder } from '#contract/messages.ts'
import type { MailRow } from './mail-row.ts'
import { type MailVerbOptions, mailVerbs } from './mail-verbs.ts'
import { targetOfRows } from './target.ts'
import type { ListSelection } from './use-selection.ts'

export type SwipeVerb = 'archive' | 'remove'

type Dragging = {
  drag: (row: MailRow) => void
  drop: (to: Folder) => void
  /** Acts on one row, whatever is selected. */
  swipe: (row: MailRow, verb: SwipeVerb) => void
}

/** Rows that the pointer drags to a folder: with one of the selected rows all of them move, otherwise that row alone. */
export function useDragging(
  folder: string,
  selection: ListSelection,
  selected: MailVerbOptions,
): Dragging {
  const alone = (row: MailRow) => ({ ...selected, target: () => targetOfRows([row], folder) })
  const dragged = useRef<MailRow | null>(null)
  const drag = useCallback((row: MailRow) => {
    dragged.current = row
  }, [])
  const drop = (to: Folder) => {
    const row = dragged.current
    dragged.current = null
    if (!row) return
    mailVerbs(selection.has(row.key) ? selected : alone(row)).moveTo(to)
  }
  const latest = useRef(alone)
  latest.current = alone
  const swipe = useCallback((row: MailRow, verb: SwipeVerb) => {
    mailVerbs(latest.current(row))[verb]()
  }, [])
  return { drag, drop, swipe }
}
