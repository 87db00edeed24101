import { cn } from '#web/ui/cn.ts'

type SearchScopeProps = {
  folderName: string
  isOnly: boolean
  onChoose: (isOnly: boolean) => void
}

/** Where is searched: in all folders but Trash and Junk, or in the one that is open. */
export function SearchScope({ folderName, isOnly, onChoose }: SearchScopeProps) {
  return (
    <fieldset className="flex items-center gap-1 border-line border-b px-3 py-1.5 text-xs">
      <legend className="sr-only">Search in</legend>
      {[false, true].map((isFolder) => (
        <button
          key={String(isFolder)}
          type="button"
          aria-pressed={isOnly === isFolder}
          onClick={() => onChoose(isFolder)}
          className={cn(
            'min-h-6 truncate rounded-full px-2.5',
            isOnly === isFolder
              ? 'bg-accent-wash font-medium text-accent-ink'
              : 'text-soft hover:bg-hover',
          )}
        >
          {isFolder ? folderName : 'All mail'}
        </button>
      ))}
    </fieldset>
  )
}
