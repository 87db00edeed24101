import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link, useNavigate } from 'react-router'
import { newPasswordForm, openResetLink, setNewPassword } from '#contract/auth.ts'
import { sentenceOf } from '#contract/errors.ts'
import { call } from '#web/lib/api/api.ts'
import { ApiError, messageOf } from '#web/lib/api/api-error.ts'
import { showFieldErrors } from '#web/lib/form-errors.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/form/button.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { PasswordField } from '#web/ui/form/password-input.tsx'
import { AuthHeading, textLink } from './auth-parts.tsx'
import { useLinkToken } from './use-link-token.ts'

const REDIRECT_AFTER_MS = 1000

/** Sets a new password with the token of a mailed link. */
export function NewPasswordPage() {
  usePageTitle('Create new password')
  const token = useLinkToken()
  const navigate = useNavigate()
  const redirect = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(redirect.current), [])
  const broken = useBrokenLink(token)
  const form = useForm({
    resolver: zodResolver(newPasswordForm),
    defaultValues: { password: '', confirmPassword: '' },
  })
  const { errors, isSubmitting, isSubmitSuccessful } = form.formState
  const submit = form.handleSubmit(async (values) => {
    try {
      await call(setNewPassword, { body: { ...values, session: token } })
      toast({ title: 'Password updated successfully.', variant: 'success' })
      redirect.current = setTimeout(() => navigate(paths.login()), REDIRECT_AFTER_MS)
    } catch (error) {
      if (showFieldErrors(form, error)) return
      const description = token ? messageOf(error) : sentenceOf('INVALID_SIGNATURE')
      toastError(description)
      // Nothing was saved: the form keeps its values and can be submitted again.
      form.setError('root', { message: description })
    }
  })
  return (
    <>
      <AuthHeading title="Create new password">
        All other sessions of your account end when it is saved.
      </AuthHeading>
      <form method="post" noValidate onSubmit={submit} className="grid gap-5">
        {broken && <FormAlert>{broken}</FormAlert>}
        {/* Password managers look for the user name; the link does not contain it. */}
        <input type="text" autoComplete="username" hidden readOnly value="" />
        <PasswordField
          label="New Password"
          // What is wrong says the rule again.
          hint={!errors.password && 'At least 7 characters; not one of the most common passwords'}
          error={errors.password?.message}
          {...form.register('password')}
        />
        <PasswordField
          label="Confirm Password"
          error={errors.confirmPassword?.message}
          {...form.register('confirmPassword')}
        />
        <Button type="submit" size="large" isPending={isSubmitting} disabled={isSubmitSuccessful}>
          Save New Password
        </Button>
        <Link to={paths.forgotPassword()} className={`${textLink} justify-self-center`}>
          Send a new link
        </Link>
      </form>
    </>
  )
}

const endedLinks = {
  EXPIRED: 'This link has expired: it works for an hour. Ask for a new one below.',
  BROKEN:
    'This link is not valid: it was used, a newer one took its place, or a part of it is missing. Ask for a new one below.',
} as const

const isRefused = (error: unknown): boolean =>
  error instanceof ApiError && ['INVALID_SIGNATURE', 'VALIDATION'].includes(error.type)

/** Says before a password is typed that the link will not save it. null while it works, or is not known to be broken. */
function useBrokenLink(token: string): string | null {
  const [broken, setBroken] = useState<string | null>(token ? null : endedLinks.BROKEN)
  useEffect(() => {
    if (!token) return
    let isHere = true
    call(openResetLink, { body: { session: token } }).then(
      ({ type }) => isHere && type === 'EXPIRED' && setBroken(endedLinks.EXPIRED),
      (error: unknown) => isHere && isRefused(error) && setBroken(endedLinks.BROKEN),
    )
    return () => {
      isHere = false
    }
  }, [token])
  return broken
}
