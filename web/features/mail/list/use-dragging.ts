import { useCallback, useRef } from 'react'
import type { Folder } from '#contract/messages.ts'
import type { MailRow } from './mail-row.ts'
import { type MailVerbOptions, mailVerbs } from './mail-verbs.ts'
import { targetOfRows } from './target.ts'
import type { ListSelection } from './use-selection.ts'

/** Rows that the pointer drags to a folder: with one of the selected rows all of them move, otherwise that row alone. */
export function useDragging(
  folder: string,
  selection: ListSelection,
  selected: MailVerbOptions,
): { drag: (row: MailRow) => void; drop: (to: Folder) => void } {
  const dragged = useRef<MailRow | null>(null)
  const drag = useCallback((row: MailRow) => {
    dragged.current = row
  }, [])
  const drop = (to: Folder) => {
    const row = dragged.current
    dragged.current = null
    if (!row) return
    const alone = { ...selected, target: () => targetOfRows([row], folder) }
    mailVerbs(selection.has(row.key) ? selected : alone).moveTo(to)
  }
  return { drag, drop }
}
