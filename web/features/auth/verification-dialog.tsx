import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { KeptMail, MailSent, ResendButton } from './mail-sent.tsx'
import { useInstallation } from './use-installation.ts'

type VerificationDialogProps = {
  email: string | null
  /** true: a mail was just sent. */
  startsCounting: boolean
  onClose: () => void
}

/** After sign-up, or at login before the link was opened: says where the link was sent and sends it again. */
export function VerificationDialog({ email, startsCounting, onClose }: VerificationDialogProps) {
  const isKept = useInstallation()?.keepsSystemMail === true
  const address = <strong className="wrap-anywhere font-medium text-ink">{email}</strong>
  return (
    <Dialog
      isOpen={email !== null}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Email verification"
      description={
        isKept ? (
          <>
            <KeptMail address={address} /> Open the link to finish signing up.
          </>
        ) : startsCounting ? (
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
