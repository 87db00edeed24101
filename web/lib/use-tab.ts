/** The open tab stands in the address, so that reload, back and links keep it. */
import { useSearchParams } from 'react-router'

/** The first of `tabs` has a bare address; an unknown one counts as it. */
export function useTab<T extends string>(tabs: readonly [T, ...T[]]): [T, (tab: string) => void] {
  const [query, setQuery] = useSearchParams()
  const [first] = tabs
  const open = tabs.find((tab) => tab === query.get('tab')) ?? first
  return [open, (tab) => setQuery(tab === first ? {} : { tab }, { replace: true })]
}
