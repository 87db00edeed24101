import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { type Deletion, previewDomainDeletion } from '#contract/deletions.ts'
import { type Domain, deleteDomain } from '#contract/domains.ts'
import { DeleteDialog } from '#web/deletions/delete-dialog.tsx'
import { type JustDeleted, stateOfDeletion } from '#web/deletions/just-deleted.tsx'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { useCan } from '#web/lib/api/use-can.ts'
import { formatCount } from '#web/lib/format.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/form/button.tsx'

type DeleteDomainDialogProps = {
  domain: Domain
  onClose: () => void
  onDeleted: (deleted: readonly JustDeleted[]) => void
}

export function DeleteDomainDialog({ domain, onClose, onDeleted }: DeleteDomainDialogProps) {
  const params = { id: domain._id }
  const deletion = useApi(previewDomainDeletion, { params }, { staleTime: 0 })
  const remove = useCall(deleteDomain, {
    onSuccess: () => {
      const waits = deletion.data != null && deletion.data.endsAt !== null
      onDeleted(waits ? [{ id: domain._id, name: domain.unicodeName }] : [])
      toast({
        title: 'Domain deleted',
        description: deletion.data?.endsAt
          ? `${domain.unicodeName} can be taken back until it ends.`
          : domain.unicodeName,
        variant: 'success',
      })
    },
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <DeleteDialog
      name={domain.unicodeName}
      deletion={deletion}
      lost={(found) => <WhatIsLost deletion={found} />}
      save={domain.mailboxes > 0 && <WhereToSave domain={domain} />}
      confirmText="Delete domain"
      isPending={remove.isPending}
      onConfirm={() => remove.mutate({ params })}
      onClose={onClose}
    />
  )
}

function WhatIsLost({ deletion: { mailboxes, endsAt } }: { deletion: Deletion }) {
  const what =
    mailboxes === 0
      ? 'It has no mailboxes.'
      : mailboxes === 1
        ? 'Its mailbox and all mail in it are deleted.'
        : `Its ${formatCount(mailboxes)} mailboxes and all mail in them are deleted.`
  if (endsAt === null) return what
  return (
    <>
      {what} Its signing keys are deleted too: adding the domain again makes new ones, and its DNS
      records have to be published again. Until its end mail still arrives and can be read, but
      nothing can be sent.
    </>
  )
}

function WhereToSave({ domain }: { domain: Domain }) {
  return (
    <p className="text-soft">
      To keep mail, open{' '}
      <Link
        to={paths.mailboxes({ q: domain.name })}
        className="rounded-sm font-medium text-accent-ink underline-offset-4 hover:underline"
      >
        its mailboxes
      </Link>{' '}
      first: their list is a CSV file, and whoever reads a mailbox saves its mail as an mbox file in
      its settings.
    </p>
  )
}

/** A quiet button at the end of a page: few users need it. */
export function DeleteDomainButton({ domain }: { domain: Domain }) {
  const navigate = useNavigate()
  const [isAsking, setIsAsking] = useState(false)
  const canDelete = useCan('delete-domains')
  return (
    <>
      <Button variant="quiet" disabled={!canDelete} onClick={() => setIsAsking(true)}>
        <Trash2 aria-hidden />
        Delete domain
      </Button>
      {isAsking && (
        <DeleteDomainDialog
          domain={domain}
          onClose={() => setIsAsking(false)}
          onDeleted={(deleted) => navigate(paths.domains(), { state: stateOfDeletion(deleted) })}
        />
      )}
    </>
  )
}
