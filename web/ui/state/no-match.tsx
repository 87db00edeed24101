import { SearchX } from 'lucide-react'
import { Button } from '../form/button.tsx'
import { EmptyState } from './empty-state.tsx'

type NoMatchProps = {
  /** What was searched: 'No domain', 'Nobody here'. */
  subject: string
  /** Empty: filters alone left no row. */
  search: string
  onClear: () => void
}

/** Shown instead of the rows of a table when the search or the filters found none. */
export function NoMatch({ subject, search, onClear }: NoMatchProps) {
  const isSearch = search.trim() !== ''
  return (
    <EmptyState
      icon={SearchX}
      title="Nothing found"
      description={`${subject} matches ${isSearch ? `“${search.trim()}”` : 'these filters'}.`}
      action={
        <Button variant="secondary" onClick={onClear}>
          Clear {isSearch ? 'search' : 'filters'}
        </Button>
      }
    />
  )
}
