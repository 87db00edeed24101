import { useState } from 'react'
import type { Domain } from '#contract/domains.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useCan } from '#web/lib/api/use-can.ts'
import { Button } from '#web/ui/form/button.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { MailboxField } from './mailbox-field.tsx'
import { useChangeCatchAll } from './use-catch-all.ts'

type CatchAllDialogProps = { domain: Domain; onClose: () => void }

/** Chooses the mailbox that gets what is for nobody else in the domain, or ends that. */
export function CatchAllDialog({ domain, onClose }: CatchAllDialogProps) {
  const current = domain.catchAll?.mailboxId ?? ''
  const [mailboxId, setMailboxId] = useState(current)
  const { set, remove } = useChangeCatchAll(domain, onClose)
  const canManage = useCan('manage-domains')
  const isPending = set.isPending || remove.isPending
  const refusal = set.error ?? remove.error
  const id = domain._id
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && !isPending && onClose()}
      title="Catch-all"
      description={`One mailbox can get the mail for addresses of ${domain.unicodeName} that do not exist. Without a catch-all such mail is refused, and its sender is told.`}
      footer={
        <>
          {domain.catchAll && (
            <Button
              variant="quiet"
              className="mr-auto"
              isPending={remove.isPending}
              disabled={!canManage || isPending}
              onClick={() => remove.mutate({ params: { id } })}
            >
              {remove.isPending ? 'Removing...' : 'Remove catch-all'}
            </Button>
          )}
          <Button variant="secondary" disabled={isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button
            isPending={set.isPending}
            disabled={!canManage || isPending || mailboxId === current}
            onClick={() => set.mutate({ params: { id }, body: { mailboxId } })}
          >
            {set.isPending ? 'Saving...' : 'Save'}
          </Button>
        </>
      }
    >
      {refusal && <FormAlert>{messageOf(refusal)}</FormAlert>}
      <MailboxField domain={domain} value={mailboxId} onChange={setMailboxId} />
    </Dialog>
  )
}
