import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '#web/paths.ts'
import { cn } from '#web/ui/cn.ts'
import { SearchInput } from '#web/ui/form/search-input.tsx'
import { NoMatch } from '#web/ui/state/no-match.tsx'
import { matching, type Operation, type Reference } from './openapi-document.ts'

type OperationListProps = { groups: Reference['groups']; current: Operation | undefined }

/** Every operation by its group, narrowed by what is typed. */
export function OperationList({ groups, current }: OperationListProps) {
  const [search, setSearch] = useState('')
  const found = matching(groups, search)
  return (
    <div>
      <SearchInput
        placeholder="Search operations"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <nav aria-label="Operations" className="mt-4">
        {found.map(({ name, operations }) => (
          <section key={name} className="mb-5">
            <h2 className="font-semibold text-sm">{name}</h2>
            <ul className="mt-1">
              {operations.map((each) => (
                <li key={each.operationId}>
                  <OperationLink operation={each} isCurrent={each === current} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
      {found.length === 0 && (
        <NoMatch subject="operations" search={search} onClear={() => setSearch('')} />
      )}
    </div>
  )
}

function OperationLink({ operation, isCurrent }: { operation: Operation; isCurrent: boolean }) {
  const { operationId, method, path, isEvent } = operation
  return (
    <Link
      to={paths.apiReference(operationId)}
      aria-current={isCurrent ? 'page' : undefined}
      className={cn(
        'flex min-h-9 items-center gap-2 rounded-control px-2 py-1.5 text-sm hover:bg-hover pointer-coarse:min-h-11',
        isCurrent ? 'bg-accent-wash text-accent-ink' : 'text-soft',
      )}
    >
      <span className="w-13 shrink-0 font-mono text-[11px]">{isEvent ? 'EVENT' : method}</span>
      <span className="wrap-anywhere min-w-0">{isEvent ? path : operationId}</span>
    </Link>
  )
}
