import { Suspense, useState } from 'react'
import { type Resolver, useForm } from 'react-hook-form'
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
import { Field, Input } from '#web/ui/form/field.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
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

function LoginForm() {
  const navigate = useNavigate()
  const state = useLocation().state as { from?: unknown; email?: unknown } | null
  const from = state?.from
  const email = typeof state?.email === 'string' ? state.email : ''
  const form = useForm<LoginValues>({
    resolver: resolveLater,
    defaultValues: { email, password: '' },
  })
  const [unverified, setUnverified] = useState<string | null>(null)
  const { errors, isSubmitting } = form.formState
  const refused = (error: unknown) => {
    if (error instanceof ApiError && error.type === 'NOT_VERIFIED')
      setUnverified(form.getValues('email'))
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
  return (
    <form
      noValidate
      onFocus={() => void loadContract().catch(() => undefined)}
      onSubmit={(event) => void submit(event).catch(refused)}
      className="grid gap-5"
    >
      <Field label="Email" required error={errors.email?.message}>
        {(control) => (
          <Input
            {...control}
            {...form.register('email')}
            type="email"
            autoComplete="username"
            inputMode="email"
          />
        )}
      </Field>
      <Field label="Password" required error={errors.password?.message}>
        {(control) => (
          <PasswordInput
            {...control}
            {...form.register('password')}
            autoComplete="current-password"
          />
        )}
      </Field>
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
