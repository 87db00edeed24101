import { type FormEvent, Suspense, useState } from 'react'
import { type Resolver, type UseFormReturn, useForm } from 'react-hook-form'
import { Link, useLocation, useNavigate } from 'react-router'
import type { z } from 'zod'
import type { loginForm } from '#contract/auth.ts'
import { call } from '#web/lib/api/api.ts'
import { ApiError, messageOf } from '#web/lib/api/api-error.ts'
import { signIn } from '#web/lib/api/session.ts'
import { lazyPart } from '#web/lib/fetch-part.ts'
import { showFieldErrors } from '#web/lib/form-errors.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { toast } from '#web/lib/toast-store.ts'
import { paths, returnPath } from '#web/paths.ts'
import { Button } from '#web/ui/form/button.tsx'
import { InputField } from '#web/ui/form/field.tsx'
import { PasswordField } from '#web/ui/form/password-input.tsx'
import { AuthHeading, OtherWay, textLink } from './auth-parts.tsx'
import { GoogleButton } from './google-button.tsx'

type LoginValues = z.input<typeof loginForm>

export function LoginPage() {
  usePageTitle('Login')
  const location = useLocation()
  return (
    <>
      <AuthHeading title="Welcome Back">Login to you account</AuthHeading>
      <LoginForm />
      <OtherWay />
      <GoogleButton />
      <p className="mt-7 text-center text-sm text-soft">
        Don't have an account?{' '}
        <Link to={paths.signUp()} state={location.state} className={textLink}>
          Sign up
        </Link>
      </p>
    </>
  )
}

const VerificationDialog = lazyPart(
  async () => (await import('./verification-dialog.tsx')).VerificationDialog,
)

const loadContract = () => import('./login-contract.ts')

const resolveLater: Resolver<LoginValues> = async (...asked) =>
  (await loadContract()).loginResolver(...asked)

/** Returns the submit handler, which logs in and opens the page `from` that was requested before the login. */
function useLogin(
  form: UseFormReturn<LoginValues>,
  from: unknown,
  onUnverified: (email: string) => void,
) {
  const navigate = useNavigate()
  const refused = (error: unknown) => {
    if (error instanceof ApiError && error.type === 'NOT_VERIFIED')
      onUnverified(form.getValues('email'))
    if (showFieldErrors(form, error)) return
    toast({ title: 'Error', description: messageOf(error), variant: 'error' })
  }
  const submit = form.handleSubmit(async (values) => {
    try {
      const { login } = await loadContract()
      signIn(await call(login, { body: values }))
      toast({ title: 'Logged in successfully....', variant: 'success' })
      await navigate(returnPath(from), { replace: true })
    } catch (error) {
      refused(error)
    }
  })
  return (event: FormEvent) => void submit(event).catch(refused)
}

function LoginForm() {
  const state = useLocation().state as { from?: unknown; email?: unknown } | null
  const email = typeof state?.email === 'string' ? state.email : ''
  const form = useForm<LoginValues>({
    resolver: resolveLater,
    defaultValues: { email, password: '' },
  })
  const [unverified, setUnverified] = useState<string | null>(null)
  const { errors, isSubmitting } = form.formState
  const submit = useLogin(form, state?.from, setUnverified)
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
        autoComplete="username"
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
