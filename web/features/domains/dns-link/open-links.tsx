import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/skeleton.tsx'
import { OpenLink } from './open-link.tsx'
import { useLinks } from './use-links.ts'

type OpenLinksProps = {
  domainId: string
  /** The link that was just made here; null when none was. */
  newest: string | null
}

export function OpenLinks({ domainId, newest }: OpenLinksProps) {
  const links = useLinks(domainId)
  const all = links.data
  return (
    <section aria-labelledby="open-links" className="grid gap-3">
      <h3 id="open-links" aria-live="polite" className="font-semibold text-sm tabular-nums">
        {all ? `Open links: ${all.length}` : 'Open links'}
      </h3>
      {links.isPending && <Skeleton className="h-24 w-full rounded-card" />}
      {links.isError && !all && (
        <ErrorState
          title="Error loading the links"
          description={links.error.message}
          onRetry={() => links.refetch()}
        />
      )}
      {all?.length === 0 && (
        <p className="text-soft text-sm">Links that you make are listed here until they expire.</p>
      )}
      {all && all.length > 0 && (
        <ul className="grid gap-3">
          {all.map((link) => (
            <OpenLink
              key={link._id}
              domainId={domainId}
              link={link}
              takesFocus={link._id === newest}
            />
          ))}
        </ul>
      )}
    </section>
  )
}
