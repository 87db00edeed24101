import { useQueryClient } from '@tanstack/react-query'
import { Copy, EllipsisVertical, FolderInput, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { type Domain, deleteDomain, listDomains } from '#contract/domains.ts'
import { listMailboxes } from '#contract/mailboxes.ts'
import { getStats } from '#contract/stats.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { readAgain, useCall } from '#web/lib/api/use-api.ts'
import { useCan } from '#web/lib/api/use-can.ts'
import { formatCount } from '#web/lib/format.ts'
import { toast } from '#web/lib/toast-store.ts'
import { Button } from '#web/ui/form/button.tsx'
import { copyText } from '#web/ui/form/copy-button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { DropdownMenu, MenuItem, MenuSeparator } from '#web/ui/overlay/dropdown-menu.tsx'

const MoveDialog = lazy(async () => ({
  default: (await import('./move-dialog.tsx')).MoveDialog,
}))

type DomainRowMenuProps = { domain: Domain; canManage: boolean }

export function DomainRowMenu({ domain, canManage }: DomainRowMenuProps) {
  const [isAsking, setIsAsking] = useState(false)
  const [isMoving, setIsMoving] = useState(false)
  const canMove = useCan('move-domains')
  const copyName = () =>
    copyText(domain.name).then(
      () => toast({ title: 'Copied', description: domain.name, variant: 'success' }),
      () => toast({ title: 'Copying is not allowed here', variant: 'error' }),
    )
  return (
    <>
      <DropdownMenu
        trigger={
          <Button variant="quiet" size="iconSmall" aria-label={`Actions for ${domain.unicodeName}`}>
            <EllipsisVertical aria-hidden />
          </Button>
        }
      >
        <MenuItem disabled={!canMove} onSelect={() => setIsMoving(true)}>
          <FolderInput aria-hidden />
          Add to workspace
        </MenuItem>
        <MenuItem onSelect={copyName}>
          <Copy aria-hidden />
          Copy name
        </MenuItem>
        <MenuSeparator />
        <MenuItem isDangerous disabled={!canManage} onSelect={() => setIsAsking(true)}>
          <Trash2 aria-hidden />
          Delete domain
        </MenuItem>
      </DropdownMenu>
      {isAsking && <DeleteDomain domain={domain} onClose={() => setIsAsking(false)} />}
      <Suspense>
        {isMoving && <MoveDialog domain={domain} onClose={() => setIsMoving(false)} />}
      </Suspense>
    </>
  )
}

function DeleteDomain({ domain, onClose }: { domain: Domain; onClose: () => void }) {
  const client = useQueryClient()
  const remove = useCall(deleteDomain, {
    onSuccess: async () => {
      onClose()
      toast({ title: 'Domain deleted', description: domain.unicodeName, variant: 'success' })
      await readAgain(client, listDomains, listMailboxes, getStats)
    },
    onError: (error) =>
      toast({ title: '❌ Error', description: messageOf(error), variant: 'error' }),
  })
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && !remove.isPending && onClose()}
      title={`Delete ${domain.unicodeName}?`}
      description={<WhatIsLost domain={domain} />}
      confirmText={remove.isPending ? 'Deleting...' : 'Delete domain'}
      isPending={remove.isPending}
      onConfirm={() => remove.mutate({ params: { id: domain._id } })}
    />
  )
}

function WhatIsLost({ domain }: { domain: Domain }) {
  const mailboxes =
    domain.mailboxes === 0
      ? 'It has no mailboxes.'
      : domain.mailboxes === 1
        ? 'Its mailbox and all mail in it are deleted.'
        : `Its ${formatCount(domain.mailboxes)} mailboxes and all mail in them are deleted.`
  return (
    <>
      {mailboxes} Its signing keys are deleted too: adding the domain again makes new ones, and its
      DNS records have to be published again. This cannot be undone.
    </>
  )
}
