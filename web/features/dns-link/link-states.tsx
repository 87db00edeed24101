/** What a page behind a link shows before its records are there, and when the link does not work. */
import { Unlink } from 'lucide-react'
import { useEffect } from 'react'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Spinner } from '#web/ui/state/loading.tsx'

export function Opening() {
  return (
    <div role="status" className="m-auto flex items-center gap-3 text-sm text-soft">
      <Spinner className="size-5" />
      <h1 tabIndex={-1}>Opening the records...</h1>
    </div>
  )
}

export function NotLoaded({ description, onRetry }: { description: string; onRetry: () => void }) {
  return (
    <>
      <h1 tabIndex={-1} className="sr-only">
        DNS records
      </h1>
      <ErrorState title="Error loading the records" description={description} onRetry={onRetry} />
    </>
  )
}

/** Does not say why the link does not work: the server answers the same for a link that never existed. */
export function Ended() {
  useEffect(() => {
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  }, [])
  return (
    <EmptyState
      icon={Unlink}
      className="m-auto"
      title={<h1 tabIndex={-1}>This link does not work</h1>}
      description="It may have expired or been withdrawn, or part of it is missing. Ask the person who sent it to you for a new one."
    />
  )
}
