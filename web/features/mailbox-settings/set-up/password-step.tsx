import { KeyRound } from 'lucide-react'
import { Link } from 'react-router'
import { type MadeAppPassword, makeAppPassword } from '#contract/mail/app-passwords.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/form/button.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { MadePassword } from '../app-passwords/made-password.tsx'

type PasswordStepProps = {
  mailbox: Mailbox
  /** What its new password is called. */
  device: string
  made: MadeAppPassword | null
  onMade: (made: MadeAppPassword) => void
}

/** The app password of the program, made here and shown once. */
export function PasswordStep({ mailbox, device, made, onMade }: PasswordStepProps) {
  const make = useCall(makeAppPassword, { onSuccess: onMade })
  const settings = `${paths.mailboxSettings({ mailbox: mailbox._id })}#app-passwords`
  if (made) return <MadePassword made={made} onCopied={() => {}} />
  return (
    <div className="grid justify-items-start gap-3">
      <p className="text-soft text-sm">
        The program signs in with a password of its own, not with yours. You can end it without
        changing anything else.
      </p>
      {make.isError && (
        <FormAlert>
          {messageOf(make.error)}
          <Link to={settings} className="block w-fit underline underline-offset-4">
            See your app passwords
          </Link>
        </FormAlert>
      )}
      <Button
        isPending={make.isPending}
        className="max-sm:w-full"
        onClick={() =>
          make.mutate({
            params: { id: mailbox._id },
            body: { name: device, scopes: ['imap', 'smtp'] },
          })
        }
      >
        <KeyRound aria-hidden />
        {make.isPending ? 'Making it...' : 'Make an app password'}
      </Button>
    </div>
  )
}
