/** What an operator does for one person. */
import { EllipsisVertical, KeyRound, LogOut, ShieldOff } from 'lucide-react'
import { useState } from 'react'
import { resetFactorOf } from '#contract/account/factor-reset.ts'
import { endSessionsOf, makeResetLink, type OperatedAccount } from '#contract/operator/accounts.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { Button } from '#web/ui/form/button.tsx'
import { CopyField } from '#web/ui/form/copy-field.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { DropdownMenu, MenuItem } from '#web/ui/overlay/dropdown-menu.tsx'

export function PersonMenu({
  account: { _id: id, email, isHolder },
}: {
  account: OperatedAccount
}) {
  const [asking, setAsking] = useState<'link' | 'sessions' | 'factor' | null>(null)
  const [link, setLink] = useState('')
  const onError = (error: Error) => {
    setAsking(null)
    toastError(messageOf(error))
  }
  const reset = useCall(makeResetLink, {
    onSuccess: (made) => {
      setAsking(null)
      setLink(made.link)
    },
    onError,
  })
  const end = useCall(endSessionsOf, {
    onSuccess: ({ message }) => {
      setAsking(null)
      toast({ title: message, variant: 'success' })
    },
    onError,
  })
  const take = useCall(resetFactorOf, {
    onSuccess: ({ message }) => {
      setAsking(null)
      toast({ title: message, variant: 'success' })
    },
    onError,
  })
  return (
    <>
      <DropdownMenu
        trigger={
          <Button variant="quiet" size="iconSmall" aria-label={`Actions for ${email}`}>
            <EllipsisVertical aria-hidden />
          </Button>
        }
      >
        {!isHolder && (
          <MenuItem onSelect={() => setAsking('link')}>
            <KeyRound aria-hidden />
            Make a link for a new password
          </MenuItem>
        )}
        <MenuItem onSelect={() => setAsking('sessions')}>
          <LogOut aria-hidden />
          Sign out everywhere
        </MenuItem>
        <MenuItem onSelect={() => setAsking('factor')}>
          <ShieldOff aria-hidden />
          Reset second factor
        </MenuItem>
      </DropdownMenu>
      <ConfirmDialog
        isOpen={asking === 'link'}
        onOpenChange={(isOpen) => !isOpen && !reset.isPending && setAsking(null)}
        title={`Make a link for ${email}?`}
        description="It sets a new password, and works once within an hour. Whoever opens it has the account: make sure who asks before you hand it over."
        confirmText={reset.isPending ? 'Making...' : 'Make the link'}
        isPending={reset.isPending}
        onConfirm={() => reset.mutate({ params: { id } })}
      />
      <ConfirmDialog
        isOpen={asking === 'sessions'}
        onOpenChange={(isOpen) => !isOpen && !end.isPending && setAsking(null)}
        title={`Sign ${email} out everywhere?`}
        description="Every browser has to log in again. The password stays as it is, and so do the passwords of mail programs."
        confirmText={end.isPending ? 'Signing out...' : 'Sign out'}
        isPending={end.isPending}
        onConfirm={() => end.mutate({ params: { id } })}
      />
      <ConfirmDialog
        isOpen={asking === 'factor'}
        onOpenChange={(isOpen) => !isOpen && !take.isPending && setAsking(null)}
        title={`Reset the second factor of ${email}?`}
        description="Authenticator app, passkeys and recovery codes end, and every session does. The password alone opens the account then: make sure who asks. The person is told by a mail."
        confirmText={take.isPending ? 'Resetting...' : 'Reset second factor'}
        isPending={take.isPending}
        onConfirm={() => take.mutate({ params: { id } })}
      />
      <MadeLink email={email} link={link} onClose={() => setLink('')} />
    </>
  )
}

function MadeLink({ email, link, onClose }: { email: string; link: string; onClose: () => void }) {
  return (
    <Dialog
      isOpen={link !== ''}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Link for a new password"
      description={`For ${email}. It is shown once.`}
      footer={
        <Button variant="secondary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <CopyField text={link} label="Link" />
    </Dialog>
  )
}
