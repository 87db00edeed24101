/** What was searched and sorted by, kept in the URL: back, reload and a link that is sent show the same rows. */
import { useEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useDebounced } from './time/use-now.ts'

/** No search that finds anything is longer. */
const MAX_KEPT = 200

type Sort = { id: string; isDescending: boolean }

export function useListPlace(sortable: readonly string[]) {
  const [query, setQuery] = useSearchParams()
  const keep = (name: string, value: string) =>
    setQuery(
      (before) => {
        const after = new URLSearchParams(before)
        if (value === '') after.delete(name)
        else after.set(name, value)
        return after
      },
      { replace: true },
    )
  const kept = query.get('q') ?? ''
  const [search, setSearch] = useState(kept)
  const written = useRef(kept)
  // A link to this page, or back within it, brings its own search.
  useEffect(() => {
    if (kept === written.current) return
    written.current = kept
    setSearch(kept)
  }, [kept])
  // Browsers refuse to write the URL at every key, and servers need not search at each.
  const settled = useDebounced(search.trim().slice(0, MAX_KEPT))
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was typed is written
  useEffect(() => {
    if (settled === written.current) return
    written.current = settled
    keep('q', settled)
  }, [settled])
  const order = query.get('sort')
  const sort = useMemo(() => readSort(order, sortable), [order, sortable])
  const setSort = (next: Sort | null) =>
    keep('sort', next === null ? '' : `${next.isDescending ? '-' : ''}${next.id}`)
  return { search, settled, setSearch, sort, setSort }
}

/** 'name' upwards, '-name' downwards. */
function readSort(text: string | null, sortable: readonly string[]): Sort | null {
  const id = text?.replace(/^-/, '') ?? ''
  return text && sortable.includes(id) ? { id, isDescending: text.startsWith('-') } : null
}

/**
 * The open tab stands in the address, so that reload, back and links keep it.
 * The first of `tabs` has a bare address; an unknown one counts as it.
 */
export function useTab<T extends string>(tabs: readonly [T, ...T[]]): [T, (tab: string) => void] {
  const [query, setQuery] = useSearchParams()
  const [first] = tabs
  const open = tabs.find((tab) => tab === query.get('tab')) ?? first
  return [open, (tab) => setQuery(tab === first ? {} : { tab }, { replace: true })]
}
