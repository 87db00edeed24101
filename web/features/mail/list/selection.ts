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
