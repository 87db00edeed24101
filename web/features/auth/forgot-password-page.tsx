import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { useLocation, useNavigate } from 'react-router'
import { forgotPassword, forgotPasswordForm } from '#contract/auth.ts'
import { call } from '#web/lib/api/api.ts'
import { showRefusal } from '#web/lib/form-errors.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/form/button.tsx'
import { InputField } from '#web/ui/form/field.tsx'
import { AuthHeading, BackLink } from './auth-parts.tsx'
import { ResendButton } from './mail-sent.tsx'

/** Back from the next page the field still has the typed address. */
const emailOf = (state: unknown): string => {
  const email = (state as { email?: unknown } | null)?.email
  return typeof email === 'string' ? email : ''
}

/** 'Send Email' has no countdown; the resend button of the next page has one (decision 013). */
export function ForgotPasswordPage() {
  usePageTitle('Forgot password')
  const navigate = useNavigate()
  const email = emailOf(useLocation().state)
  const form = useForm({ resolver: zodResolver(forgotPasswordForm), defaultValues: { email } })
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(async ({ email }) => {
    try {
      await call(forgotPassword, { body: { email } })
      await navigate(paths.emailVerification({ email }))
    } catch (error) {
      showRefusal(form, error)
    }
  })
  return (
    <>
      <BackLink to={paths.login()} />
      <AuthHeading title="Forgot Password?">
        Enter your email and we will send you a link to set a new password.
      </AuthHeading>
      <form method="post" noValidate onSubmit={submit} className="grid gap-5">
        <InputField
          label="Email"
          required
          error={errors.email?.message}
          {...form.register('email')}
          type="email"
          autoComplete="username"
          inputMode="email"
        />
        <Button type="submit" size="large" isPending={isSubmitting}>
          Send Email
        </Button>
      </form>
      <div className="mt-7 grid gap-3 border-line border-t pt-6">
        <p className="text-pretty text-center text-soft text-sm">Did the link not arrive?</p>
        <ResendButton
          email={form.watch('email')}
          kind="reset-password"
          startsCounting
          variant="secondary"
        />
      </div>
    </>
  )
}
