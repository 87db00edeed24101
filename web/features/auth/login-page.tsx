import { type FormEvent, Suspense, useState } from 'react'
import { type Resolver, type UseFormReturn, useForm } from 'react-hook-form'
import { Link, useLocation, useNavigate } from 'react-router'
import type { z } from 'zod'
import type { AskedFactor } from '#contract/account/second-factor.ts'
import type { loginForm, SignedIn } from '#contract/auth.ts'
import { call } from '#web/lib/api/api.ts'
import { ApiError, messageOf } from '#web/lib/api/api-error.ts'
import { signIn } from '#web/lib/api/session.ts'
import { lazyPart } from '#web/lib/fetch-part.ts'
import { showFieldErrors } from '#web/lib/form-errors.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { toast } from '#web/lib/toast-store.ts'
import { paths, returnPath } from '#web/paths.ts'
import { hasUsedPasskeys } from '#web/second-step/browser-passkeys.ts'
import { Button } from '#web/ui/form/button.tsx'
import { InputField } from '#web/ui/form/field.tsx'
import { PasswordField } from '#web/ui/form/password-input.tsx'
import { useInBrowser } from '#web/ui/use-in-browser.ts'
import { AuthHeading, OtherWay, textLink } from './auth-parts.tsx'
import { askedFactorIn, type LoginState } from './factors/asked-factor.ts'
import { PasskeyButton } from './factors/passkey-button.tsx'
import { GoogleButton } from './google-button.tsx'

type LoginValues = z.input<typeof loginForm>

export function LoginPage() {
  usePageTitle('Login')
  const location = useLocation()
  const state = location.state as LoginState
  const [asked, setAsked] = useState<AskedFactor | null>(state?.asked ?? null)
  const signedIn = useSignedIn(state?.from)
  if (asked)
    return (
      <Suspense>
        <SecondStep asked={asked} onSignedIn={signedIn} onLeave={() => setAsked(null)} />
      </Suspense>
    )
  return (
    <>
      <AuthHeading title="Welcome Back">Login to you account</AuthHeading>
      <LoginForm onSignedIn={signedIn} onAsked={setAsked} />
      <OtherWay />
      <GoogleButton />
      <PasskeyButton onSignedIn={signedIn} />
      <p className="mt-7 text-center text-sm text-soft">
        Don't have an account?{' '}
        <Link to={paths.signUp()} state={location.state} className={textLink}>
          Sign up
        </Link>
      </p>
    </>
  )
}

/** Opens the page `from` that was requested before the login. */
function useSignedIn(from: unknown) {
  const navigate = useNavigate()
  return async (session: SignedIn) => {
    signIn(session)
    toast({ title: 'Logged in successfully....', variant: 'success' })
    await navigate(returnPath(from), { replace: true })
  }
}

const SecondStep = lazyPart(async () => (await import('./factors/second-step.tsx')).SecondStep)

const VerificationDialog = lazyPart(
  async () => (await import('./verification-dialog.tsx')).VerificationDialog,
)

const loadContract = () => import('./login-contract.ts')

const resolveLater: Resolver<LoginValues> = async (...asked) =>
  (await loadContract()).loginResolver(...asked)

type LoginFormProps = {
  onSignedIn: (session: SignedIn) => Promise<void>
  /** The password is right, and there is a second step. */
  onAsked: (asked: AskedFactor) => void
}

/** Returns the submit handler. */
function useLogin(
  form: UseFormReturn<LoginValues>,
  { onSignedIn, onAsked }: LoginFormProps,
  onUnverified: (email: string) => void,
) {
  const refused = (error: unknown) => {
    const asked = askedFactorIn(error)
    if (asked) return onAsked(asked)
    if (error instanceof ApiError && error.type === 'NOT_VERIFIED')
      onUnverified(form.getValues('email'))
    if (showFieldErrors(form, error)) return
    toast({ title: 'Error', description: messageOf(error), variant: 'error' })
  }
  const submit = form.handleSubmit(async (values) => {
    try {
      const { login } = await loadContract()
      await onSignedIn(await call(login, { body: values }))
    } catch (error) {
      refused(error)
    }
  })
  return (event: FormEvent) => void submit(event).catch(refused)
}

function LoginForm(props: LoginFormProps) {
  const state = useLocation().state as LoginState
  const email = typeof state?.email === 'string' ? state.email : ''
  const form = useForm<LoginValues>({
    resolver: resolveLater,
    defaultValues: { email, password: '' },
  })
  const hasPasskeys = useInBrowser(hasUsedPasskeys, false)
  const [unverified, setUnverified] = useState<string | null>(null)
  const { errors, isSubmitting } = form.formState
  const submit = useLogin(form, props, setUnverified)
  return (
    <form
      method="post"
      noValidate
      onFocus={() => void loadContract().catch(() => undefined)}
      onSubmit={submit}
      className="grid gap-5"
    >
      <InputField
        label="Email"
        required
        error={errors.email?.message}
        {...form.register('email')}
        type="email"
        // There the browser lists passkeys, too.
        autoComplete={hasPasskeys ? 'username webauthn' : 'username'}
        inputMode="email"
      />
      <PasswordField
        label="Password"
        error={errors.password?.message}
        {...form.register('password')}
        autoComplete="current-password"
      />
      <Link to={paths.forgotPassword()} className={`${textLink} -mt-1.5 justify-self-end`}>
        Forgot password
      </Link>
      <Button type="submit" size="large" isPending={isSubmitting}>
        {isSubmitting ? 'Logging in...' : 'Login'}
      </Button>
      {unverified !== null && (
        <Suspense>
          <VerificationDialog
            email={unverified}
            startsCounting={false}
            onClose={() => setUnverified(null)}
          />
        </Suspense>
      )}
    </form>
  )
}
