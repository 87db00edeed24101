import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { usePageTitle } from '#web/lib/page-title.ts'
import { paths } from '#web/paths.ts'
import { GoogleButton } from './google/google-button.tsx'
import { AuthHeading } from './parts/auth-heading.tsx'
import { OtherWay } from './parts/other-way.tsx'
import { textLink } from './parts/text-link.ts'
import { useInstallation } from './parts/use-installation.ts'
import { VerificationDialog } from './parts/verification-dialog.tsx'
import { SignUpForm } from './sign-up-form.tsx'

export function SignUpPage() {
  usePageTitle('Sign up')
  const location = useLocation()
  const [mailedTo, setMailedTo] = useState<string | null>(null)
  const isClosed = useInstallation()?.signUp === 'closed'
  return (
    <>
      <AuthHeading title="Create an account">
        {isClosed && 'Sign-up is closed here. Ask the operator for an account.'}
      </AuthHeading>
      <SignUpForm onMailed={setMailedTo} />
      <OtherWay />
      <GoogleButton />
      <p className="mt-7 text-center text-sm text-soft">
        Already have an account?{' '}
        <Link to={paths.login()} state={location.state} className={textLink}>
          Login
        </Link>
      </p>
      <VerificationDialog email={mailedTo} startsCounting onClose={() => setMailedTo(null)} />
    </>
  )
}
