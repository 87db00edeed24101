import { Megaphone } from 'lucide-react'
import { useState } from 'react'
import {
  endAnnouncement,
  listMadeAnnouncements,
  type MadeAnnouncement,
} from '#contract/operator/announcements.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { formatCount, formatMoment } from '#web/lib/format.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { Badge } from '#web/ui/data/badge.tsx'
import { Card } from '#web/ui/data/card.tsx'
import { DataTable } from '#web/ui/data/data-table.tsx'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import type { Column } from '#web/ui/data/table-model.ts'
import { Button } from '#web/ui/form/button.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { AnnounceDialog } from './announce-dialog.tsx'

/** What everybody who is signed in reads above every page. */
export function AnnouncementList() {
  const [isWriting, setIsWriting] = useState(false)
  const { data, error, refetch } = useApi(listMadeAnnouncements, {})
  if (error && !data)
    return (
      <Card>
        <ErrorState
          title="Error loading the announcements"
          description={error.message}
          onRetry={() => void refetch()}
        />
      </Card>
    )
  return (
    <Card className="@container overflow-hidden">
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-line border-b px-5 py-3.5">
        <h2 className="font-semibold text-sm">Announcements</h2>
        <Button onClick={() => setIsWriting(true)}>Announce</Button>
      </header>
      <DataTable
        label="announcements"
        rows={data ?? []}
        columns={columns}
        getRowId={({ _id }) => _id}
        isLoading={data === undefined}
        empty={
          <EmptyState
            icon={Megaphone}
            title="Nothing is announced"
            description="A sentence from here stands above every page of those who are signed in, such as when you upgrade."
          />
        }
      />
      {isWriting && <AnnounceDialog onClose={() => setIsWriting(false)} />}
    </Card>
  )
}

const columns: readonly Column<MadeAnnouncement>[] = [
  {
    id: 'text',
    header: 'Announcement',
    className: 'w-full max-w-0',
    cell: ({ text, link, audience, endsAt, dismissed, madeBy }) => (
      <span className="grid gap-0.5">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="wrap-anywhere font-medium">{text}</span>
          {audience === 'admins' && <Badge>Admins only</Badge>}
        </span>
        {link !== '' && <span className="wrap-anywhere text-soft text-xs">{link}</span>}
        <span className="wrap-anywhere text-soft text-xs">
          {endsAt && (
            <>
              Until <LocalTime at={endsAt} format={formatMoment} />,{' '}
            </>
          )}
          by {madeBy}, dismissed by {formatCount(dismissed)}
        </span>
      </span>
    ),
  },
  {
    id: 'actions',
    header: 'Actions',
    isHeaderHidden: true,
    className: 'w-px',
    cell: ({ _id }) => <EndButton id={_id} />,
  },
]

function EndButton({ id }: { id: string }) {
  const end = useCall(endAnnouncement, {
    onSuccess: () => toast({ title: 'Announcement ended', variant: 'success' }),
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <Button
      variant="secondary"
      size="small"
      isPending={end.isPending}
      onClick={() => end.mutate({ params: { id } })}
    >
      End
    </Button>
  )
}
