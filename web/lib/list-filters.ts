/** Filters of a list, kept in the URL beside its search and sorting: back, reload and shared links show the same rows. */
import { useSearchParams } from 'react-router'

export function useListFilters<Name extends string>(names: readonly Name[]) {
  const [query, setQuery] = useSearchParams()
  const filters = Object.fromEntries(names.map((name) => [name, query.get(name) ?? ''])) as Record<
    Name,
    string
  >
  /** An empty value ends the filter. */
  const setFilters = (changes: Partial<Record<Name, string>>) =>
    setQuery(
      (before) => {
        const after = new URLSearchParams(before)
        // Other rows begin with their first page.
        after.delete('page')
        for (const [name, value] of Object.entries<string | undefined>(changes))
          if (value) after.set(name, value)
          else after.delete(name)
        return after
      },
      { replace: true },
    )
  const isFiltered = names.some((name) => filters[name] !== '')
  const clear = () =>
    setFilters(Object.fromEntries(names.map((name) => [name, ''])) as Record<Name, string>)
  return { filters, setFilters, isFiltered, clear }
}
