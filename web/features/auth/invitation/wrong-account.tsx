import { useState } from 'react'
import { Link } from 'react-router'
import { endSession } from '#web/lib/api/end-session.ts'
import { toastError } from '#web/lib/toast-store.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/form/button.tsx'
import { AuthHeading } from '../parts/auth-heading.tsx'

type WrongAccountProps = { email: string; ownEmail: string }

/** Signed in as somebody else. After log-out the invitation is still here. */
export function WrongAccount({ email, ownEmail }: WrongAccountProps) {
  const [isPending, setIsPending] = useState(false)
  const logOut = async () => {
    setIsPending(true)
    try {
      await endSession()
    } catch {
      setIsPending(false)
      const description = 'Failed to logout, please try again'
      toastError(description)
    }
  }
  return (
    <>
      <AuthHeading title="This invitation is for somebody else">
        It is for <strong className="wrap-anywhere font-medium text-ink">{email}</strong>, and you
        are signed in as <strong className="wrap-anywhere font-medium text-ink">{ownEmail}</strong>.
        Log out to go on with the invited address.
      </AuthHeading>
      <div className="grid gap-3">
        <Button size="large" isPending={isPending} onClick={logOut}>
          {isPending ? 'Logging out...' : 'Log out'}
        </Button>
        <Button asChild variant="secondary" size="large">
          <Link to={paths.dashboard()}>Go to your dashboard</Link>
        </Button>
      </div>
    </>
  )
}
