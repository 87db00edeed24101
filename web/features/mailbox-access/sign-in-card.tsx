/** Who signs in with the address of a mailbox, and the link with which the holder sets a password. */
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { resetHolderFactor } from '#contract/account/factor-reset.ts'
import { type MailboxAccess, revokeAccess, withdrawAccessLink } from '#contract/mail/access.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { useMay } from '#web/lib/api/use-can.ts'
import { useNow } from '#web/lib/time/use-now.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { Status } from '#web/ui/data/badge.tsx'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { Ago } from '#web/ui/data/local-time.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { HandOverDialog } from './hand-over-dialog.tsx'
import { LinkDialog } from './link-dialog.tsx'

export function SignInCard({ mailbox, access }: { mailbox: Mailbox; access: MailboxAccess }) {
  const [isMaking, setIsMaking] = useState(false)
  const [isHandingOver, setIsHandingOver] = useState(false)
  const canGive = useMay('give-mailboxes')
  const { holder, link, canSetUp } = access
  const isMaker = access.readers.some(({ how, isYou }) => isYou && how === 'made')
  return (
    <Card className="max-w-3xl">
      <CardHeader
        title="Sign-in"
        description="Its holder signs in with the address, and sees this mailbox and those they were given"
        aside={
          <Status tone={holder ? 'good' : 'neutral'}>
            {holder ? 'Has a holder' : 'No holder'}
          </Status>
        }
      />
      <div className="grid gap-4 px-5 pb-5 text-sm">
        {holder ? (
          <HolderText mailbox={mailbox} holder={holder} />
        ) : (
          <p className="text-soft">
            Nobody signs in with this address. Set up access for its owner: they open a link and
            choose a password, and need no account.
          </p>
        )}
        {link && <WaitingLink mailbox={mailbox} link={link} canWithdraw={canSetUp} />}
        {canSetUp ? (
          <div className="flex flex-wrap gap-2">
            <Button variant={holder ? 'secondary' : 'primary'} onClick={() => setIsMaking(true)}>
              <KeyRound aria-hidden />
              {holder ? 'Reset the password' : link ? 'Make a new link' : 'Set up access'}
            </Button>
            {canGive && (
              <Button variant="secondary" onClick={() => setIsHandingOver(true)}>
                Hand over
              </Button>
            )}
            {holder && canGive && <ResetFactorButton mailbox={mailbox} />}
            {holder && <EndAccessButton mailbox={mailbox} />}
          </div>
        ) : (
          <p className="text-soft">
            The maker of a link could open it and read the mail. You are not a reader of this
            mailbox, so ask an Admin to make one.
          </p>
        )}
      </div>
      {isHandingOver && (
        <HandOverDialog
          mailbox={mailbox}
          hasHolder={holder !== null}
          onClose={() => setIsHandingOver(false)}
        />
      )}
      {isMaking && (
        <LinkDialog
          mailbox={mailbox}
          isReset={holder !== null}
          isMaker={isMaker}
          onClose={() => setIsMaking(false)}
        />
      )}
    </Card>
  )
}

type HolderTextProps = { mailbox: Mailbox; holder: NonNullable<MailboxAccess['holder']> }

function HolderText({ mailbox, holder }: HolderTextProps) {
  return (
    <p>
      The holder signs in as <span className="wrap-anywhere font-medium">{mailbox.email}</span>.
      They set a password <Ago at={holder.since} />
      {holder.lastLoginAt ? (
        <>
          {' '}
          and last logged in <Ago at={holder.lastLoginAt} />.
        </>
      ) : (
        ' and have not logged in yet.'
      )}
      {mailbox.status === 'suspended' && ' The mailbox is suspended: they cannot log in now.'}
    </p>
  )
}

export function EndAccessButton({ mailbox }: { mailbox: Mailbox }) {
  const [isAsking, setIsAsking] = useState(false)
  const revoke = useCall(revokeAccess, {
    onSuccess: () => {
      setIsAsking(false)
      toast({ title: 'Access revoked', description: mailbox.email, variant: 'success' })
    },
    onError: (error) => {
      setIsAsking(false)
      toastError(messageOf(error))
    },
  })
  return (
    <>
      <Button variant="quiet" onClick={() => setIsAsking(true)}>
        Revoke access
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={(isOpen) => !isOpen && !revoke.isPending && setIsAsking(false)}
        title={`Revoke the access to ${mailbox.email}?`}
        description="Its holder is signed out everywhere and cannot log in any more. The mail stays, and more arrives. You can set up access again, for them or for another person."
        confirmText={revoke.isPending ? 'Revoking...' : 'Revoke access'}
        isPending={revoke.isPending}
        onConfirm={() => revoke.mutate({ params: { id: mailbox._id } })}
      />
    </>
  )
}

export function ResetFactorButton({ mailbox }: { mailbox: Mailbox }) {
  const [isAsking, setIsAsking] = useState(false)
  const reset = useCall(resetHolderFactor, {
    onSuccess: ({ message }) => {
      setIsAsking(false)
      toast({ title: message, description: mailbox.email, variant: 'success' })
    },
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <>
      <Button variant="quiet" onClick={() => setIsAsking(true)}>
        Reset second factor
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={(isOpen) => !isOpen && !reset.isPending && setIsAsking(false)}
        title={`Reset the second factor of ${mailbox.email}?`}
        description="For a holder who lost it: authenticator app, passkeys and recovery codes end, and every session does. The password alone signs in then: make sure who asks. The holder is told by a mail."
        confirmText={reset.isPending ? 'Resetting...' : 'Reset second factor'}
        isPending={reset.isPending}
        onConfirm={() => reset.mutate({ params: { id: mailbox._id } })}
      />
    </>
  )
}

type WaitingLinkProps = {
  mailbox: Mailbox
  link: NonNullable<MailboxAccess['link']>
  canWithdraw: boolean
}

/** A link that was not used yet. It is not shown again. */
export function WaitingLink({ mailbox, link, canWithdraw }: WaitingLinkProps) {
  const now = useNow(30_000)
  const isOver = new Date(link.expiresAt).getTime() <= now
  const withdraw = useCall(withdrawAccessLink, {
    onSuccess: () => {
      toast({ title: 'Link withdrawn', description: mailbox.email, variant: 'success' })
    },
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-xl bg-hover px-3.5 py-3">
      <p className="min-w-0 flex-1 basis-56 wrap-anywhere">
        {isOver ? 'A link expired unused ' : 'A link has not been used yet. It was made '}
        <Ago at={isOver ? link.expiresAt : link.createdAt} />
        {link.mailedTo && `${isOver ? '; it was' : ' and'} mailed to ${link.mailedTo}`}.
        {!isOver && (
          <>
            {' '}
            It ends <Ago at={link.expiresAt} mayCome />.
          </>
        )}
      </p>
      {canWithdraw && !isOver && (
        <Button
          variant="secondary"
          size="small"
          isPending={withdraw.isPending}
          onClick={() => withdraw.mutate({ params: { id: mailbox._id } })}
        >
          Withdraw link
        </Button>
      )}
    </div>
  )
}
