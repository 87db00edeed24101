/** An operator deletes a workspace: what ends, its name to type, and the receipt. */
import { useState } from 'react'
import { WAIT_DAYS } from '#contract/deletions.ts'
import {
  type DeletionReceipt,
  deleteOperatedWorkspace,
  previewOperatedDeletion,
} from '#contract/operator/deletions.ts'
import type { OperatedWorkspace } from '#contract/operator/workspaces.ts'
import { DeleteDialog } from '#web/deletions/delete-dialog.tsx'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { formatCount, formatDate, formatMoment } from '#web/lib/format.ts'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'

type Props = { workspace: OperatedWorkspace; onClose: () => void }

export function DeleteWorkspaceDialog({ workspace, onClose }: Props) {
  const { _id: id, name } = workspace
  const params = { id }
  const deletion = useApi(previewOperatedDeletion, { params }, { staleTime: 0 })
  const isDeleted = workspace.endsAt !== null
  const [wantsNow, setWantsNow] = useState(false)
  const isNow = isDeleted || wantsNow
  const remove = useCall(deleteOperatedWorkspace)
  if (remove.data) return <Receipt receipt={remove.data} onClose={onClose} />
  const open = deletion.data?.openInvoices ?? 0
  return (
    <DeleteDialog
      name={name}
      deletion={deletion}
      lost={() =>
        'Its domains, its mailboxes and all of their mail are deleted; invoices are kept. Its Admins get a receipt by mail.'
      }
      {...(isNow && {
        end: 'It is erased within a minute, and nothing of it can be taken back: only a backup may have it.',
      })}
      confirmText={isNow ? 'Erase now' : 'Delete workspace'}
      isPending={remove.isPending}
      onConfirm={(typed) => remove.mutate({ params, body: { name: typed, isNow } })}
      onClose={onClose}
    >
      {open > 0 && (
        <p>
          {open === 1 ? '1 open invoice stays' : `${formatCount(open)} open invoices stay`} due.
        </p>
      )}
      {workspace.endsAt !== null ? (
        <p>
          It was deleted before, and ends on <LocalTime at={workspace.endsAt} format={formatDate} />
          .
        </p>
      ) : (
        // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is a button inside it
        <label className="flex min-h-11 items-center gap-3">
          <Checkbox checked={wantsNow} onCheckedChange={(is) => setWantsNow(is === true)} />
          Erase it now, without the {WAIT_DAYS} days
        </label>
      )}
      {remove.error && <FormAlert>{messageOf(remove.error)}</FormAlert>}
    </DeleteDialog>
  )
}

function Receipt({ receipt, onClose }: { receipt: DeletionReceipt; onClose: () => void }) {
  const { _id, name, at, lines, mailedTo } = receipt
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`${name} was deleted`}
      description="The receipt stays in the log of operators."
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <div className="grid gap-3 text-sm">
        {lines.map((line) => (
          <p key={line} className="wrap-anywhere text-pretty">
            {line}
          </p>
        ))}
        <p className="wrap-anywhere text-soft">
          Receipt {_id}, <LocalTime at={at} format={formatMoment} />.{' '}
          {mailedTo === 0
            ? 'It has no Admin who could be mailed.'
            : `${mailedTo === 1 ? 'Its Admin gets' : `Its ${formatCount(mailedTo)} Admins get`} it by mail.`}
        </p>
      </div>
    </Dialog>
  )
}
