import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Alias } from '#contract/mail/aliases.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { Button } from '#web/ui/form/button.tsx'
import { CopyButton } from '#web/ui/form/copy-button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { useRemoveAlias } from './use-aliases.ts'

type AliasRowProps = { mailbox: Mailbox; alias: Alias; onRemoved: () => void }

export function AliasRow({ mailbox, alias, onRemoved }: AliasRowProps) {
  const [isAsking, setIsAsking] = useState(false)
  const remove = useRemoveAlias(mailbox._id, alias)
  const confirm = () =>
    remove.mutate(
      { params: { id: mailbox._id, aliasId: alias._id } },
      { onSettled: () => setIsAsking(false), onSuccess: onRemoved },
    )
  return (
    <li className="flex min-w-0 items-center gap-2 py-1.5 pr-2 pl-4">
      <span className="wrap-anywhere min-w-0 flex-1 text-sm">{alias.email}</span>
      <CopyButton text={alias.email} label={`Copy ${alias.email}`} className="shrink-0" />
      <Button
        variant="quiet"
        size="iconSmall"
        aria-label={`Remove ${alias.email}`}
        onClick={() => setIsAsking(true)}
      >
        <Trash2 aria-hidden />
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={(isOpen) => !isOpen && !remove.isPending && setIsAsking(false)}
        title={`Remove ${alias.email}?`}
        description={`Mail to this address no longer arrives in ${mailbox.email}, and nothing can be sent from this address. Mail that has arrived stays.`}
        confirmText={remove.isPending ? 'Removing...' : 'Remove alias'}
        isPending={remove.isPending}
        onConfirm={confirm}
      />
    </li>
  )
}
