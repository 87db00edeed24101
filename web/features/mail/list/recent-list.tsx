import { History, X } from 'lucide-react'
import { Button } from '#web/ui/form/button.tsx'
import type { RecentSearches } from './recent-searches.ts'

type RecentListProps = { recents: RecentSearches; onChoose: (q: string) => void }

/** The last searches, each of which can be forgotten. A press leaves the focus where it is, so that the list stays open. */
export function RecentList({ recents, onChoose }: RecentListProps) {
  return (
    <section aria-label="Recent searches" className="mb-3 border-line border-b pb-2">
      <div className="flex items-center justify-between text-soft text-xs">
        <p>Recent searches</p>
        <Button
          variant="link"
          size="inline"
          className="min-h-6 text-xs"
          onMouseDown={(event) => event.preventDefault()}
          onClick={recents.forgetAll}
        >
          Forget all
        </Button>
      </div>
      <ul>
        {recents.recent.map((q) => (
          <li key={q} className="flex items-center gap-1">
            <button
              type="button"
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onChoose(q)}
              className="flex min-h-8 min-w-0 flex-1 items-center gap-2 rounded-md px-1 text-left text-sm hover:bg-hover pointer-coarse:min-h-10"
            >
              <History className="size-4 shrink-0 text-soft" aria-hidden />
              <span dir="auto" className="truncate">
                {q}
              </span>
            </button>
            <Button
              variant="quiet"
              size="iconSmall"
              aria-label={`Forget ${q}`}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => recents.forget(q)}
            >
              <X aria-hidden />
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
