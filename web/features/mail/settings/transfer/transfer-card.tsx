/** Mail that leaves as a file, and files that come in. For those who read the mailbox: it is their mail. */
import { listImports } from '#contract/mail/transfer.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/skeleton.tsx'
import { ExportPart } from './export-part.tsx'
import { ImportPart } from './import-part.tsx'
import { isGoingOn } from './import-words.ts'

const LOOK_MS = 1_000

export function TransferCard({ mailbox }: { mailbox: Mailbox }) {
  const imports = useApi(
    listImports,
    { params: { id: mailbox._id } },
    { refetchInterval: ({ state }) => (isGoingOn(state.data?.[0]) ? LOOK_MS : false) },
  )
  return (
    <Card>
      <CardHeader
        title="Export and import"
        description="Mail as an mbox file, which every mail program can read"
      />
      {imports.data ? (
        <div className="grid gap-6 px-5 pb-5">
          <ExportPart mailbox={mailbox} />
          <hr className="border-line" />
          <ImportPart mailbox={mailbox} latest={imports.data[0]} />
        </div>
      ) : imports.isError ? (
        <ErrorState
          title="The imports could not be loaded"
          description={imports.error.message}
          onRetry={() => void imports.refetch()}
          className="py-8"
        />
      ) : (
        <div role="status" className="grid gap-5 px-5 pb-5">
          <span className="sr-only">Loading the imports</span>
          <Skeleton className="h-16 w-full" />
          <Skeleton className="h-16 w-full" />
        </div>
      )}
    </Card>
  )
}
