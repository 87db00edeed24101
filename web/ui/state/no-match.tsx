import { SearchX } from 'lucide-react'
import { Button } from '../form/button.tsx'
import { EmptyState } from './empty-state.tsx'

type NoMatchProps = {
  /** What was searched: 'No domain', 'Nobody here'. */
  subject: string
  search: string
  onClear: () => void
}

/** In place of the rows of a table when the search found none. */
export function NoMatch({ subject, search, onClear }: NoMatchProps) {
  return (
    <EmptyState
      icon={SearchX}
      title="Nothing found"
      description={`${subject} matches “${search.trim()}”.`}
      action={
        <Button variant="secondary" onClick={onClear}>
          Clear search
        </Button>
      }
    />
  )
}
