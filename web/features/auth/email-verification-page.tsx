import { useSearchParams } from 'react-router'
import { usePageTitle } from '#web/lib/page-title.ts'
import { paths } from '#web/paths.ts'
import { AuthHeading, BackLink } from './auth-parts.tsx'
import { KeptMail, MailSent, ResendButton } from './mail-sent.tsx'
import { useInstallation } from './use-installation.ts'

/** Shown after the reset mail was sent, until the user opens its link. */
export function EmailVerificationPage() {
  usePageTitle('Email verification')
  const [query] = useSearchParams()
  const email = query.get('email') ?? ''
  const isKept = useInstallation()?.keepsSystemMail === true
  const address = (
    <strong className="wrap-anywhere font-medium text-ink">{email || 'your e-mail address'}</strong>
  )
  return (
    <>
      <BackLink to={paths.forgotPassword()} state={{ email }} />
      <MailSent className="mb-6 w-40" />
      <AuthHeading title="Email verification">
        {isKept ? (
          <>
            <KeptMail address={address} /> Open the link to go on.
          </>
        ) : (
          <>We sent a link to {address}. Open it to go on. It can take a minute to arrive.</>
        )}
      </AuthHeading>
      <ResendButton email={email} kind="reset-password" startsCounting />
      <p className="mt-6 text-pretty text-soft text-sm">
        Did you get your mailbox by a link? Then we send no mail: we ask your administrator to give
        you a new link.
      </p>
    </>
  )
}
