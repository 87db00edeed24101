import { useState } from 'react'
import type { Domain } from '#contract/domains.ts'
import { formatCents } from '#contract/money.ts'
import { type DomainMove, moveDomain, previewMove } from '#contract/workspaces.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { formatBytes, formatCount } from '#web/lib/format.ts'
import { toast } from '#web/lib/toast-store.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { NewWorkspace } from './new-workspace.tsx'

type MoveDialogProps = {
  domain: Domain
  onClose: () => void
  /** Called instead of `onClose` after the move, when the page shows the domain that has left. */
  onMoved?: () => void
}

/** 'Add to workspace': shows what moves with the domain before it moves. */
export function MoveDialog({ domain, onClose, onMoved = onClose }: MoveDialogProps) {
  const preview = useApi(previewMove, { params: { id: domain._id } }, { staleTime: 0 })
  const [chosen, setChosen] = useState('')
  const workspaces = preview.data?.workspaces ?? []
  // A single workspace is selected already.
  const target = workspaces.length === 1 ? (workspaces[0]?._id ?? '') : chosen
  const move = useMove(domain, workspaces.find(({ _id }) => _id === target)?.name ?? '', onMoved)
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && !move.isPending && onClose()}
      title="Add to workspace"
      description={`Moves ${domain.unicodeName} out of this workspace, with all that belongs to it.`}
      footer={
        <>
          <Button variant="secondary" disabled={move.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button
            isPending={move.isPending}
            disabled={target === ''}
            onClick={() =>
              move.mutate({ params: { id: domain._id }, body: { workspaceId: target } })
            }
          >
            {move.isPending ? 'Moving...' : 'Move domain'}
          </Button>
        </>
      }
    >
      {preview.data ? (
        <div className="grid gap-4">
          {move.isError && <FormAlert>{messageOf(move.error)}</FormAlert>}
          <Target move={preview.data} value={target} onChange={setChosen} />
          {workspaces.length > 0 && <WhatMoves domain={domain} move={preview.data} />}
        </div>
      ) : preview.isError ? (
        <ErrorState
          title="Error reading what would move"
          description={preview.error.message}
          onRetry={() => preview.refetch()}
          className="py-6"
        />
      ) : (
        <Loading />
      )}
    </Dialog>
  )
}

function useMove(domain: Domain, workspaceName: string, onMoved: () => void) {
  return useCall(moveDomain, {
    onSuccess: () => {
      onMoved()
      toast({
        title: 'Domain moved',
        description: `${domain.unicodeName} is now in ${workspaceName}.`,
        variant: 'success',
      })
    },
  })
}

type TargetProps = { move: DomainMove; value: string; onChange: (id: string) => void }

function Target({ move, value, onChange }: TargetProps) {
  if (move.workspaces.length === 0) return <NewWorkspace onMade={onChange} />
  return (
    <Field label="Workspace" required>
      {(control) => (
        <Select
          {...control}
          value={value}
          onValueChange={onChange}
          options={move.workspaces.map(({ _id, name }) => ({ value: _id, label: name }))}
          placeholder="Select a workspace"
        />
      )}
    </Field>
  )
}

const countText = (count: number, one: string, many: string) =>
  count === 1 ? `1 ${one}` : `${formatCount(count)} ${many}`

function WhatMoves({ domain, move }: { domain: Domain; move: DomainMove }) {
  const {
    mailboxes,
    messages,
    size,
    endingAddresses,
    holders,
    dueInvoices,
    dueCents,
    dueCurrency,
  } = move
  return (
    <div className="grid gap-2 rounded-xl border border-line bg-sunken px-4 py-3.5 text-sm">
      <h3 className="font-medium">What moves</h3>
      <ul className="grid list-disc gap-1 pl-5 text-soft">
        <li>
          <span className="wrap-anywhere">{domain.unicodeName}</span> and its verification: its DNS
          records stay the same
        </li>
        <li>{countText(mailboxes, 'mailbox', 'mailboxes')}</li>
        {messages > 0 && (
          <li>
            {countText(messages, 'message', 'messages')} ({formatBytes(size)})
          </li>
        )}
        {dueInvoices > 0 && (
          <li>
            unpaid bills for them: {formatCents(dueCents, dueCurrency)} of{' '}
            {countText(dueInvoices, 'invoice', 'invoices')}. A credit note takes them back here, and
            the other workspace gets a new invoice; paid invoices stay here
          </li>
        )}
      </ul>
      {endingAddresses > 0 && (
        <p className="text-soft">
          {countText(endingAddresses, 'alias or catch-all ends', 'aliases and catch-alls end')}:
          between this domain and mailboxes of others in this workspace.
        </p>
      )}
      {holders > 0 && (
        <p className="text-soft">
          {countText(holders, 'person signs', 'people sign')} in with the address of a mailbox, and
          will lose that access: set it up again in the other workspace.
        </p>
      )}
      {mailboxes > 0 && (
        <>
          <p className="text-soft">
            Readers of this mail who are not members of the other workspace can no longer read it.
          </p>
          <p className="text-soft">
            What a mailbox may send in a day grows for three days: counted from when the domain was
            added, or the other workspace was made, whichever is earlier.
          </p>
        </>
      )}
    </div>
  )
}

function Loading() {
  return (
    <div className="grid gap-4">
      <p role="status" className="sr-only">
        Loading...
      </p>
      <Skeleton className="h-10 w-full" />
      <Skeleton className="h-28 w-full" />
    </div>
  )
}
