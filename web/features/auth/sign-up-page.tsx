import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { register } from '#contract/auth.ts'
import { call } from '#web/lib/api/api.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { paths } from '#web/paths.ts'
import { AuthHeading, OtherWay, textLink } from './auth-parts.tsx'
import { GoogleButton } from './google-button.tsx'
import { SignUpForm, type SignUpValues } from './sign-up-form.tsx'
import { useInstallation } from './use-installation.ts'
import { VerificationDialog } from './verification-dialog.tsx'

export function SignUpPage() {
  usePageTitle('Sign up')
  const location = useLocation()
  const [mailedTo, setMailedTo] = useState<string | null>(null)
  const access = useInstallation()?.signUp
  const send = async (values: SignUpValues) => {
    try {
      await call(register, { body: values })
    } catch (error) {
      if (!(error instanceof ApiError && error.type === 'NOT_VERIFIED')) throw error
    }
    setMailedTo(values.email)
  }
  return (
    <>
      <AuthHeading title="Create an account">
        {access === 'closed' && 'Sign-up is closed here. Ask the operator for an account.'}
        {access === 'invite' &&
          'Sign-up is by invitation here. Open the link in the mail that invites you.'}
      </AuthHeading>
      <SignUpForm send={send} />
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
