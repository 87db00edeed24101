/** Search, sorting and page of a list, kept in the URL: back, reload and shared links show the same rows. */
import { useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useNavigation, useSearchParams } from 'react-router'
import { useDebounced } from './time/use-now.ts'

/** Characters of a search that the URL keeps. */
const MAX_KEPT = 200
/** Of a cursor, as the server takes it. */
const MAX_CURSOR = 500

type Sort = { id: string; isDescending: boolean }

export function useListPlace(sortable: readonly string[]) {
  const [query, setQuery] = useSearchParams()
  const { pathname, state } = useLocation()
  const keep = (name: string, value: string) =>
    setQuery(
      (before) => {
        const after = new URLSearchParams(before)
        // Another search or order begins with its first page.
        after.delete('page')
        if (value === '') after.delete(name)
        else after.set(name, value)
        return after
      },
      {
        replace: name !== 'page',
        // Nobody leaves a form by such a step: `useUnsavedChanges` reads the mark.
        state: { ...state, isListPlace: true },
      },
    )
  const kept = query.get('q') ?? ''
  const [search, setSearch] = useState(kept)
  const written = useRef(kept)
  // A link to this page, or back within it, has its own search.
  useEffect(() => {
    if (kept === written.current) return
    written.current = kept
    setSearch(kept)
  }, [kept])
  // Debounced: browsers limit how often the URL may change, and the server need not search at each key.
  const settled = useDebounced(search.trim().slice(0, MAX_KEPT))
  const isOnTheWay = useNavigation().state !== 'idle'
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was typed is written
  useEffect(() => {
    // Writing the URL would call back somebody who is on the way to another page, or there while this one is still drawn.
    const isLeaving = isOnTheWay || window.location.pathname !== pathname
    if (settled === written.current || isLeaving) return
    written.current = settled
    keep('q', settled)
  }, [settled, isOnTheWay])
  const order = query.get('sort')
  const sort = useMemo(() => readSort(order, sortable), [order, sortable])
  const setSort = (next: Sort | null) =>
    keep('sort', next === null ? '' : `${next.isDescending ? '-' : ''}${next.id}`)
  // A search that the URL does not have yet begins with its first page, too.
  const page = settled === kept.trim() ? (query.get('page') ?? '').slice(0, MAX_CURSOR) : ''
  /** '': the first page. Each turn is a step of the browser's history. */
  const setPage = (next: string) => keep('page', next)
  return { search, settled, setSearch, sort, setSort, page, setPage }
}

/** The same of a URL, for what is read before the page is drawn. */
export const readListPlace = (query: URLSearchParams, sortable: readonly string[]) => ({
  q: (query.get('q') ?? '').trim().slice(0, MAX_KEPT),
  sort: readSort(query.get('sort'), sortable),
  page: (query.get('page') ?? '').slice(0, MAX_CURSOR),
})

/** 'name': ascending; '-name': descending. */
function readSort(text: string | null, sortable: readonly string[]): Sort | null {
  const id = text?.replace(/^-/, '') ?? ''
  return text && sortable.includes(id) ? { id, isDescending: text.startsWith('-') } : null
}

/**
 * The open tab is in the URL, so that reload, back and links keep it.
 * The first of `tabs` has no parameter; an unknown name counts as the first.
 */
export function useTab<T extends string>(tabs: readonly [T, ...T[]]): [T, (tab: string) => void] {
  const [query, setQuery] = useSearchParams()
  const [first] = tabs
  const open = tabs.find((tab) => tab === query.get('tab')) ?? first
  return [open, (tab) => setQuery(tab === first ? {} : { tab }, { replace: true })]
}
