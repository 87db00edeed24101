import { useState } from 'react'
import { deletePasskey, type Passkey } from '#contract/account/passkeys.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { formatDate, formatMoment } from '#web/lib/format.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { Badge } from '#web/ui/data/badge.tsx'
import { Ago, LocalTime } from '#web/ui/data/local-time.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'

type PasskeyRowProps = {
  passkey: Passkey
  /** It is the only second factor. */
  isLast: boolean
  onRename: () => void
  onDeleted: () => void
}

export function PasskeyRow({ passkey, isLast, onRename, onDeleted }: PasskeyRowProps) {
  const { _id: id, name, createdAt, lastUsedAt, isBackedUp, isUsable } = passkey
  const [isAsking, setIsAsking] = useState(false)
  const end = useCall(deletePasskey, {
    onSuccess: () => {
      setIsAsking(false)
      toast({ title: 'Passkey deleted', description: name, variant: 'success' })
      onDeleted()
    },
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <li className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 py-3 pr-2 pl-4">
      <div className="grid min-w-0 flex-1 basis-48 gap-1">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span dir="auto" className="wrap-anywhere min-w-0 font-medium text-sm">
            {name}
          </span>
          <Badge>{isBackedUp ? 'Backed up' : 'Only on this device'}</Badge>
          {!isUsable && <Badge tone="warn">For an earlier address</Badge>}
        </p>
        <p className="text-soft text-xs">
          Made <LocalTime at={createdAt} format={formatDate} title={formatMoment} />
          {lastUsedAt ? (
            <>
              , last used <Ago at={lastUsedAt} />
            </>
          ) : (
            ', never used'
          )}
        </p>
      </div>
      <div className="flex">
        <Button variant="quiet" size="small" aria-label={`Rename ${name}`} onClick={onRename}>
          Rename
        </Button>
        <Button
          variant="quiet"
          size="small"
          aria-label={`Delete ${name}`}
          onClick={() => setIsAsking(true)}
        >
          Delete
        </Button>
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={(isOpen) => !isOpen && !end.isPending && setIsAsking(false)}
        title={`Delete ${name}?`}
        description={
          isLast
            ? 'It is your only second factor. Without it the password alone signs you in, your recovery codes end, and no browser is trusted any more.'
            : 'It signs you in no more. Delete it in the device or the password manager, too.'
        }
        confirmText={end.isPending ? 'Deleting...' : 'Delete passkey'}
        isPending={end.isPending}
        onConfirm={() => end.mutate({ params: { id } })}
      />
    </li>
  )
}
