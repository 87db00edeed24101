/** What was deleted for good in the last 30 days: chosen here, it comes back. */
import { ArchiveRestore } from 'lucide-react'
import { useState } from 'react'
import {
  type DeletedMessage,
  listDeletedMessages,
  MAX_RECOVERED,
  RECOVERABLE_DAYS,
  recoverMessages,
} from '#contract/mail/deleted-messages.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { formatCount } from '#web/lib/format.ts'
import { toast } from '#web/lib/toast-store.ts'
import { Ago } from '#web/ui/data/local-time.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'

type RecoverDialogProps = { mailboxId: string; onClose: () => void }

export function RecoverDialog({ mailboxId, onClose }: RecoverDialogProps) {
  /** Where each page before this one began, and this one. */
  const [cursors, setCursors] = useState<readonly (string | undefined)[]>([undefined])
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const cursor = cursors.at(-1)
  const { data, error, refetch } = useApi(listDeletedMessages, {
    params: { id: mailboxId },
    query: { limit: MAX_RECOVERED, ...(cursor !== undefined && { cursor }) },
  })
  const recover = useCall(recoverMessages, {
    onSuccess: ({ recovered }) => {
      toast({
        title: recovered === 1 ? 'Message recovered' : `${formatCount(recovered)} recovered`,
      })
      onClose()
    },
  })
  const turn = (to: readonly (string | undefined)[]) => {
    setChosen(new Set())
    setCursors(to)
  }
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Recover deleted messages"
      description={`What was deleted for good is kept for ${RECOVERABLE_DAYS} days. It comes back to the folder that it left, or from Trash and Junk to the Inbox. A folder that was deleted is made again.`}
      size="medium"
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button
            disabled={chosen.size === 0}
            isPending={recover.isPending}
            onClick={() =>
              recover.mutate({ params: { id: mailboxId }, body: { messages: [...chosen] } })
            }
          >
            {chosen.size === 0 ? 'Recover' : `Recover ${formatCount(chosen.size)}`}
          </Button>
        </>
      }
    >
      {recover.isError && <FormAlert>{recover.error.message}</FormAlert>}
      {error && data === undefined && (
        <ErrorState
          title="The list could not be loaded"
          description={error.message}
          onRetry={() => void refetch()}
        />
      )}
      {!error && data === undefined && <LoadingRows />}
      {data !== undefined && <Choice items={data.items} chosen={chosen} onChoose={setChosen} />}
      <Pages cursors={cursors} next={data?.nextCursor ?? null} onTurn={turn} />
    </Dialog>
  )
}

type ChoiceProps = {
  items: readonly DeletedMessage[]
  chosen: ReadonlySet<string>
  onChoose: (chosen: ReadonlySet<string>) => void
}

function Choice({ items, chosen, onChoose }: ChoiceProps) {
  const isAll = chosen.size === items.length
  const toggle = (id: string) => {
    const others = [...chosen].filter((each) => each !== id)
    onChoose(new Set(chosen.has(id) ? others : [...others, id]))
  }
  if (items.length === 0)
    return (
      <EmptyState
        icon={ArchiveRestore}
        title="Nothing to recover"
        description={`Nothing was deleted for good in the last ${RECOVERABLE_DAYS} days.`}
      />
    )
  return (
    <>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is a button inside it */}
      <label className="flex min-h-11 items-center gap-3 border-line border-b text-soft text-sm">
        <Checkbox
          checked={isAll ? true : chosen.size > 0 ? 'indeterminate' : false}
          onCheckedChange={() => onChoose(new Set(isAll ? [] : items.map(({ _id }) => _id)))}
        />
        All {formatCount(items.length)}
      </label>
      <ul aria-label="Deleted messages" className="divide-y divide-line">
        {items.map((message) => (
          <DeletedRow
            key={message._id}
            message={message}
            isChosen={chosen.has(message._id)}
            onToggle={() => toggle(message._id)}
          />
        ))}
      </ul>
    </>
  )
}

type PagesProps = {
  cursors: readonly (string | undefined)[]
  next: string | null
  onTurn: (cursors: readonly (string | undefined)[]) => void
}

function Pages({ cursors, next, onTurn }: PagesProps) {
  if (cursors.length === 1 && next === null) return null
  return (
    <div className="flex justify-between pt-3">
      <Button
        variant="secondary"
        size="small"
        disabled={cursors.length === 1}
        onClick={() => onTurn(cursors.slice(0, -1))}
      >
        Deleted later
      </Button>
      <Button
        variant="secondary"
        size="small"
        disabled={next === null}
        onClick={() => next !== null && onTurn([...cursors, next])}
      >
        Deleted before
      </Button>
    </div>
  )
}

type DeletedRowProps = { message: DeletedMessage; isChosen: boolean; onToggle: () => void }

function DeletedRow({ message, isChosen, onToggle }: DeletedRowProps) {
  const { from, subject, deletedAt, folder } = message
  return (
    <li>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is a button inside it */}
      <label className="flex min-h-14 cursor-pointer items-center gap-3 py-2">
        <Checkbox checked={isChosen} onCheckedChange={onToggle} />
        <span className="grid min-w-0 flex-1">
          <span className="truncate font-medium text-ink text-sm" dir="auto">
            {subject || '(no subject)'}
          </span>
          <span className="truncate text-soft text-xs" dir="auto">
            {from === null ? '(no sender)' : from.name || from.address}
          </span>
          {folder !== '' && (
            <span className="truncate text-soft text-xs" dir="auto">
              From the folder {folder}
            </span>
          )}
        </span>
        <Ago at={deletedAt} className="shrink-0 text-soft text-xs" />
      </label>
    </li>
  )
}

const LOADING_ROWS = ['one', 'two', 'three', 'four']

function LoadingRows() {
  return (
    <div role="status" className="grid gap-3 py-2">
      <span className="sr-only">Loading</span>
      {LOADING_ROWS.map((row) => (
        <Skeleton key={row} className="h-10" />
      ))}
    </div>
  )
}
