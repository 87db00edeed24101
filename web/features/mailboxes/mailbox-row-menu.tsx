import {
  EllipsisVertical,
  KeyRound,
  Pause,
  Pencil,
  Play,
  Send,
  Smartphone,
  Trash2,
} from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { previewMailboxDeletion } from '#contract/deletions.ts'
import { deleteMailbox, editMailbox, type Mailbox } from '#contract/mailboxes.ts'
import { DeleteDialog } from '#web/deletions/delete-dialog.tsx'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { useCan } from '#web/lib/api/use-can.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/form/button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { DropdownMenu, MenuItem } from '#web/ui/overlay/dropdown-menu.tsx'
import { ResumeDialog, useSendingStop } from './resume-dialog.tsx'

type MailboxRowMenuProps = { mailbox: Mailbox; canManage: boolean; onEdit: () => void }

export function MailboxRowMenu({ mailbox, canManage, onEdit }: MailboxRowMenuProps) {
  const [isAsking, setIsAsking] = useState(false)
  const [isResuming, setIsResuming] = useState(false)
  const [isSuspending, setIsSuspending] = useState(false)
  const change = useStatusChange(mailbox)
  const stop = useSendingStop(mailbox._id)
  const canResume = useCan('resume-sending')
  return (
    <>
      <DropdownMenu
        trigger={
          <Button variant="quiet" size="iconSmall" aria-label={`Actions for ${mailbox.email}`}>
            <EllipsisVertical aria-hidden />
          </Button>
        }
      >
        <MenuItem disabled={!canManage} onSelect={onEdit}>
          <Pencil aria-hidden />
          Edit Record
        </MenuItem>
        <MenuItem asChild>
          <Link to={paths.access({ mailbox: mailbox._id })}>
            <KeyRound aria-hidden />
            Access
          </Link>
        </MenuItem>
        <MenuItem asChild>
          <Link to={`${paths.mailboxSettings({ mailbox: mailbox._id })}#app-passwords`}>
            <Smartphone aria-hidden />
            App passwords
          </Link>
        </MenuItem>
        {mailbox.status === 'active' && (
          <MenuItem disabled={!canManage} onSelect={() => setIsSuspending(true)}>
            <Pause aria-hidden />
            Suspend
          </MenuItem>
        )}
        {mailbox.status === 'suspended' && (
          <MenuItem disabled={!canManage} onSelect={() => change('active')}>
            <Play aria-hidden />
            Resume
          </MenuItem>
        )}
        {stop?.operatorReason === null && (
          <MenuItem disabled={!canResume} onSelect={() => setIsResuming(true)}>
            <Send aria-hidden />
            Resume sending
          </MenuItem>
        )}
        <MenuItem isDangerous disabled={!canManage} onSelect={() => setIsAsking(true)}>
          <Trash2 aria-hidden />
          Delete Record
        </MenuItem>
      </DropdownMenu>
      {isResuming && stop && (
        <ResumeDialog mailbox={mailbox} stop={stop} onClose={() => setIsResuming(false)} />
      )}
      {isSuspending && (
        <SuspendMailbox
          email={mailbox.email}
          onClose={() => setIsSuspending(false)}
          onConfirm={() => change('suspended')}
        />
      )}
      {isAsking && <DeleteMailbox mailbox={mailbox} onClose={() => setIsAsking(false)} />}
    </>
  )
}

/** The toast offers to undo it. */
function useStatusChange(mailbox: Mailbox) {
  const edit = useCall(editMailbox, {
    onSuccess: ({ status, email }) => {
      const isSuspended = status === 'suspended'
      toast({
        title: isSuspended ? 'Mailbox suspended' : 'Mailbox resumed',
        description: isSuspended
          ? `${email} still receives mail, but cannot send it. Its holder cannot sign in.`
          : `${email} sends and receives again.`,
        variant: 'success',
        action: {
          label: 'Undo',
          run: () => change(isSuspended ? 'active' : 'suspended'),
        },
      })
    },
    onError: (error) => toastError(messageOf(error)),
  })
  const change = (status: 'active' | 'suspended') =>
    edit.mutate({ params: { id: mailbox._id }, body: { status } })
  return change
}

type SuspendMailboxProps = { email: string; onClose: () => void; onConfirm: () => void }

/** Asked because it signs a person out at once. */
function SuspendMailbox({ email, onClose, onConfirm }: SuspendMailboxProps) {
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Suspend ${email}?`}
      description="It still receives mail, but sends none. Its holder is signed out now, and cannot sign in until you resume it."
      confirmText="Suspend mailbox"
      isDangerous={false}
      onConfirm={() => {
        onClose()
        onConfirm()
      }}
    />
  )
}

function DeleteMailbox({ mailbox, onClose }: { mailbox: Mailbox; onClose: () => void }) {
  const { _id: id, email, fullName } = mailbox
  const params = { id }
  const deletion = useApi(previewMailboxDeletion, { params }, { staleTime: 0 })
  const remove = useCall(deleteMailbox, {
    onSuccess: () => {
      onClose()
      const description = deletion.data?.endsAt
        ? `${email} can be taken back until it ends.`
        : email
      toast({ title: 'Mailbox deleted', description, variant: 'success' })
    },
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <DeleteDialog
      name={email}
      deletion={deletion}
      lost={({ endsAt }) =>
        endsAt === null
          ? `All mail of ${fullName} in this mailbox is deleted, and mail sent to the address is refused from now on.`
          : `All mail of ${fullName} in this mailbox is deleted. Until its end mail still arrives and can be read, but nothing can be sent.`
      }
      save={
        <p className="text-soft">
          To keep its mail, open{' '}
          <Link
            to={paths.mailboxSettings({ mailbox: id })}
            className="rounded-sm font-medium text-accent-ink underline-offset-4 hover:underline"
          >
            its settings
          </Link>{' '}
          first: whoever reads it saves it there as an mbox file.
        </p>
      }
      confirmText="Delete mailbox"
      isPending={remove.isPending}
      onConfirm={() => remove.mutate({ params })}
      onClose={onClose}
    />
  )
}
