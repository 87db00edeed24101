/** What was deleted and waits for its end, with the way back. Nothing is shown where nothing waits. */
import { EllipsisVertical, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type Deleted, endDeleted, listDeleted } from '#contract/deletions.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { useCan, useMay } from '#web/lib/api/use-can.ts'
import { formatCount, formatDate } from '#web/lib/format.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { Status } from '#web/ui/data/badge.tsx'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { DropdownMenu, MenuItem } from '#web/ui/overlay/dropdown-menu.tsx'
import { NameField } from './delete-dialog.tsx'
import { TakeBackButton } from './take-back-button.tsx'

const LIMIT = 50

/** First page, so that the server can draw with it. */
export const deletedQuery = (kind?: 'domain' | 'mailbox') => ({ query: { limit: LIMIT, kind } })

type DeletedListProps = { kind?: 'domain' | 'mailbox' | undefined }

export function DeletedList({ kind }: DeletedListProps) {
  const { data } = useApi(listDeleted, deletedQuery(kind), { enabled: useMay('manage-mailboxes') })
  if (!data || data.items.length === 0) return null
  return (
    <Card className="overflow-hidden">
      <section aria-label="Deleted">
        <CardHeader
          title="Deleted"
          description="Mail still arrives and can be read. Taken back before its end, everything is as it was."
        />
        <ul className="divide-y divide-line border-line border-t">
          <Rows items={data.items} />
          {data.nextCursor !== null && <Further kind={kind} cursor={data.nextCursor} />}
        </ul>
      </section>
    </Card>
  )
}

function Rows({ items }: { items: readonly Deleted[] }) {
  return items.map((deleted) => (
    <li
      key={deleted._id}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-3"
    >
      <div className="grid min-w-0 flex-1 basis-56 gap-0.5">
        <span className="flex min-w-0 flex-wrap items-center gap-2">
          <span dir="auto" className="wrap-anywhere text-left font-medium text-sm">
            {deleted.name}
          </span>
          <Status tone="warn">Deleted</Status>
        </span>
        <EndText deleted={deleted} />
      </div>
      <DeletedVerbs deleted={deleted} />
    </li>
  ))
}

export function EndText({ deleted }: { deleted: Deleted }) {
  const { endsAt, deletedBy, kind, mailboxes } = deleted
  return (
    <p className="wrap-anywhere text-pretty text-sm text-soft">
      Ends on <LocalTime at={endsAt} format={formatDate} />
      {kind === 'domain' &&
        mailboxes > 0 &&
        ` with ${mailboxes === 1 ? '1 mailbox' : `${formatCount(mailboxes)} mailboxes`}`}
      . Deleted by {deletedBy}.
    </p>
  )
}

function Further({ kind, cursor }: DeletedListProps & { cursor: string }) {
  const [isAsked, setIsAsked] = useState(false)
  const args = { query: { ...deletedQuery(kind).query, cursor } }
  const { data, isFetching } = useApi(listDeleted, args, { enabled: isAsked })
  if (!data)
    return (
      <li className="px-5 py-3">
        <Button
          variant="secondary"
          size="small"
          isPending={isFetching}
          onClick={() => setIsAsked(true)}
        >
          Show more
        </Button>
      </li>
    )
  return (
    <>
      <Rows items={data.items} />
      {data.nextCursor !== null && <Further kind={kind} cursor={data.nextCursor} />}
    </>
  )
}

type DeletedVerbsProps = { deleted: Deleted; onRestored?: () => void; onEnded?: () => void }

/** 'Take it back', and behind a menu 'End it now'. */
export function DeletedVerbs({ deleted, onRestored, onEnded }: DeletedVerbsProps) {
  const [isEnding, setIsEnding] = useState(false)
  const mayRestore = useCan(deleted.kind === 'mailbox' ? 'manage-mailboxes' : 'delete-domains')
  const mayEnd = useCan('end-deleted')
  return (
    <div className="flex items-center gap-1">
      <TakeBackButton
        id={deleted._id}
        name={deleted.name}
        isAllowed={mayRestore}
        {...(onRestored && { onRestored })}
      />
      {mayEnd && (
        <DropdownMenu
          trigger={
            <Button variant="quiet" size="iconSmall" aria-label={`More about ${deleted.name}`}>
              <EllipsisVertical aria-hidden />
            </Button>
          }
        >
          <MenuItem isDangerous onSelect={() => setIsEnding(true)}>
            <Trash2 aria-hidden />
            End it now
          </MenuItem>
        </DropdownMenu>
      )}
      {isEnding && (
        <EndDialog
          deleted={deleted}
          onClose={() => setIsEnding(false)}
          {...(onEnded && { onEnded })}
        />
      )}
    </div>
  )
}

type EndDialogProps = { deleted: Deleted; onClose: () => void; onEnded?: () => void }

function EndDialog({ deleted, onClose, onEnded }: EndDialogProps) {
  const { _id: id, name, kind } = deleted
  const [typed, setTyped] = useState('')
  const end = useCall(endDeleted, {
    onSuccess: () => {
      onClose()
      onEnded?.()
      toast({ title: 'Ended', description: name, variant: 'success' })
    },
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && !end.isPending && onClose()}
      title={`End ${name} now?`}
      description={
        kind === 'domain'
          ? 'Its mailboxes, all of their mail and its signing keys are gone at once, and mail to it is refused. The name is free for another workspace. This cannot be undone.'
          : 'All of its mail is gone at once, and mail to it is refused. The address is free again. This cannot be undone.'
      }
      confirmText={end.isPending ? 'Ending...' : 'End it now'}
      isPending={end.isPending}
      isReady={typed.trim().toLowerCase() === name.toLowerCase()}
      onConfirm={() => end.mutate({ params: { id }, body: { name: typed.trim() } })}
    >
      <div className="mt-4">
        <NameField name={name} typed={typed} onType={setTyped} />
      </div>
    </ConfirmDialog>
  )
}
