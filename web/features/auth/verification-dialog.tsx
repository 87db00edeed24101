import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { MailSent, ResendButton } from './mail-sent.tsx'

type VerificationDialogProps = {
  email: string | null
  /** true: a mail was just sent. */
  startsCounting: boolean
  onClose: () => void
}

/** After sign-up, or at login before the link was opened: says where the link was sent and sends it again. */
export function VerificationDialog({ email, startsCounting, onClose }: VerificationDialogProps) {
  const address = <strong className="wrap-anywhere font-medium text-ink">{email}</strong>
  return (
    <Dialog
      isOpen={email !== null}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Email verification"
      description={
        startsCounting ? (
          <>We sent a verification link to {address}. Open it to finish signing up.</>
        ) : (
          // Logging in sends no mail.
          <>{address} is not verified yet. Open the link that we mailed to it, or send a new one.</>
        )
      }
    >
      <div className="grid gap-6">
        <MailSent className="mx-auto w-40" />
        {email !== null && (
          <ResendButton email={email} kind="email-verification" startsCounting={startsCounting} />
        )}
      </div>
    </Dialog>
  )
}
