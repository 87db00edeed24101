import { useCallback, useRef, useState } from 'react'
import type { MailList } from './mail-row.ts'

export type ListSelection = {
  selection: Selection
  count: number
  has: (key: string) => boolean
  /** `isRange`: all from the one that was chosen last. */
  toggle: (key: string, isRange?: boolean) => void
  /** All that were looked at. */
  selectLoaded: () => void
  /** The folder up to its newest line, also what was never looked at. */
  selectAll: () => void
  clear: () => void
}

/** What is selected in a list: some rows, or the whole folder but some. Pure: the hook keeps it. */
export type Selection = {
  keys: ReadonlySet<string>
  /** All that came until this moment is selected, but `keys`. */
  allUntil: string | null
}

export const MAX_SELECTED = 500

export const nothing: Selection = { keys: new Set(), allUntil: null }

export const isSelected = ({ keys, allUntil }: Selection, key: string): boolean =>
  keys.has(key) !== (allUntil !== null)

export const countOf = ({ keys, allUntil }: Selection, total: number): number =>
  allUntil === null ? keys.size : Math.max(0, total - keys.size)

export const set = (selection: Selection, keys: readonly string[], isOn: boolean): Selection => {
  const next = new Set(selection.keys)
  for (const key of keys)
    if (isOn === (selection.allUntil !== null)) next.delete(key)
    else if (next.size < MAX_SELECTED) next.add(key)
  return { ...selection, keys: next }
}

/** Belongs to one list: `place` names it, and another place begins with nothing selected. */
export function useSelection(place: string, list: MailList): ListSelection {
  const [kept, setKept] = useState({ place, selection: nothing })
  const anchor = useRef('')
  const selection = kept.place === place ? kept.selection : nothing
  const change = (next: Selection) => setKept({ place, selection: next })
  const latest = useRef({ list, selection, change })
  latest.current = { list, selection, change }
  const toggle = useCallback((key: string, isRange = false) => {
    const now = latest.current
    const isOn = !isSelected(now.selection, key)
    const rows = isRange ? now.list.loaded() : []
    const ends = [anchor.current, key].map((end) => rows.findIndex(({ row }) => row.key === end))
    const [from = -1, to = -1] = ends.toSorted((a, b) => a - b)
    const keys = from < 0 ? [key] : rows.slice(from, to + 1).map(({ row }) => row.key)
    anchor.current = key
    now.change(set(now.selection, keys, isRange || isOn))
  }, [])
  return {
    selection,
    count: countOf(selection, list.total),
    has: (key) => isSelected(selection, key),
    toggle,
    selectLoaded: () =>
      change(
        set(
          nothing,
          list.loaded().map(({ row }) => row.key),
          true,
        ),
      ),
    selectAll: () => change({ keys: new Set(), allUntil: list.at(0)?.date ?? null }),
    clear: () => change(nothing),
  }
}
