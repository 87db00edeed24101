import { useNavigate } from 'react-router'
import { type Deleted, getDeleted } from '#contract/deletions.ts'
import { DeletedVerbs, EndText } from '#web/deletions/deleted-list.tsx'
import { useApi } from '#web/lib/api/use-api.ts'
import { paths } from '#web/paths.ts'
import { Card } from '#web/ui/data/card.tsx'
import { UnreadableDomain } from '../domain-refusals.tsx'

type Props = { id: string; error: { type: string; message: string }; onRetry: () => void }

/** A domain that waits for its end, or the reason why there is none. `name` reaches the heading by `useDeletedDomain`. */
export function DeletedDomain({ id, error, onRetry }: Props) {
  const navigate = useNavigate()
  const deleted = useDeletedDomain(id, error.type === 'NOT_EXISTS')
  if (deleted.isLoading) return null
  if (!deleted.data) return <UnreadableDomain error={error} onRetry={onRetry} />
  return (
    <DeletedCard
      deleted={deleted.data}
      onEnded={() => void navigate(paths.domains())}
      onRestored={onRetry}
    />
  )
}

export const useDeletedDomain = (id: string, isMissing: boolean) =>
  useApi(getDeleted, { params: { id } }, { enabled: isMissing, retry: false })

type DeletedCardProps = { deleted: Deleted; onEnded: () => void; onRestored: () => void }

function DeletedCard({ deleted, onEnded, onRestored }: DeletedCardProps) {
  return (
    <Card className="flex flex-wrap items-center justify-between gap-4 p-5 sm:px-6">
      <div className="grid min-w-0 flex-1 basis-72 gap-1">
        <h2 className="font-semibold tracking-tight">This domain was deleted</h2>
        <EndText deleted={deleted} />
        <p className="text-pretty text-sm text-soft">
          Until then mail still arrives and can be read, and nothing can be sent. Taken back,
          everything is as it was.
        </p>
      </div>
      <DeletedVerbs deleted={deleted} onEnded={onEnded} onRestored={onRestored} />
    </Card>
  )
}
