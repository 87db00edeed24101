import { useCallback, useRef, useState } from 'react'
import type { MailList } from './mail-row.ts'

export type ListSelection = {
  selection: Selection
  count: number
  has: (key: string) => boolean
  /** `isRange`: selects every row from the last toggled one to this one. */
  toggle: (key: string, isRange?: boolean) => void
  /** Selects every loaded row. */
  selectLoaded: () => void
  /** Selects the folder up to its newest row, also rows that are not loaded. */
  selectAll: () => void
  clear: () => void
}

/** The selected rows: some of a list, or the whole folder but some. Pure functions; the hook holds the state. */
export type Selection = {
  keys: ReadonlySet<string>
  /** Everything up to this time is selected except `keys`; null: only `keys` are selected. */
  allUntil: string | null
}

export const MAX_SELECTED = 500

export const emptySelection: Selection = { keys: new Set(), allUntil: null }

export const isSelected = ({ keys, allUntil }: Selection, key: string): boolean =>
  keys.has(key) !== (allUntil !== null)

export const countOf = ({ keys, allUntil }: Selection, total: number): number =>
  allUntil === null ? keys.size : Math.max(0, total - keys.size)

export const setSelected = (
  selection: Selection,
  keys: readonly string[],
  isOn: boolean,
): Selection => {
  const next = new Set(selection.keys)
  for (const key of keys)
    if (isOn === (selection.allUntil !== null)) next.delete(key)
    else if (next.size < MAX_SELECTED) next.add(key)
  return { ...selection, keys: next }
}

/** Belongs to one list, named by `place`: another place starts with an empty selection. */
export function useSelection(place: string, list: MailList): ListSelection {
  const [state, setState] = useState({ place, selection: emptySelection })
  const anchor = useRef('')
  const selection = state.place === place ? state.selection : emptySelection
  const change = (next: Selection) => setState({ place, selection: next })
  const latest = useRef({ list, selection, change })
  latest.current = { list, selection, change }
  const toggle = useCallback((key: string, isRange = false) => {
    const current = latest.current
    const isOn = !isSelected(current.selection, key)
    const rows = isRange ? current.list.loaded() : []
    const ends = [anchor.current, key].map((end) => rows.findIndex(({ row }) => row.key === end))
    const [from = -1, to = -1] = ends.toSorted((a, b) => a - b)
    const keys = from < 0 ? [key] : rows.slice(from, to + 1).map(({ row }) => row.key)
    anchor.current = key
    current.change(setSelected(current.selection, keys, isRange || isOn))
  }, [])
  return {
    selection,
    count: countOf(selection, list.total),
    has: (key) => isSelected(selection, key),
    toggle,
    selectLoaded: () =>
      change(
        setSelected(
          emptySelection,
          list.loaded().map(({ row }) => row.key),
          true,
        ),
      ),
    selectAll: () => change({ keys: new Set(), allUntil: list.at(0)?.date ?? null }),
    clear: () => change(emptySelection),
  }
}
