import type { Person } from '#contract/messages.ts'
import { cn } from '#web/ui/cn.ts'
import { shownName } from './people.ts'

type SuggestionListProps = {
  id: string
  people: readonly Person[]
  active: number
  onChoose: (person: Person) => void
}

/** Below a recipient field; the field keeps the focus and names the active one. */
export function SuggestionList({ id, people, active, onChoose }: SuggestionListProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label="People"
      tabIndex={-1}
      className="absolute inset-x-0 top-full z-20 mt-1 max-h-72 overflow-y-auto rounded-xl border border-line bg-surface p-1 shadow-floating"
    >
      {people.map((person, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
        <div
          key={person.address}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(person)}
          className={cn(
            'flex min-h-9 cursor-pointer flex-wrap items-baseline gap-x-2 rounded-lg px-2.5 py-1.5 text-sm',
            index === active ? 'bg-hover' : 'hover:bg-hover',
          )}
        >
          {shownName(person) !== '' && (
            <bdi className="min-w-0 truncate font-medium">{shownName(person)}</bdi>
          )}
          <bdi className="wrap-anywhere min-w-0 text-soft">{person.address}</bdi>
        </div>
      ))}
    </div>
  )
}
