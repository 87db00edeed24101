import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { acceptAccess, acceptFields, type OpenedAccess } from '#contract/mail/access.ts'
import { call } from '#web/lib/api/api.ts'
import { ApiError, messageOf } from '#web/lib/api/api-error.ts'
import { showFieldErrors } from '#web/lib/form-errors.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import { AuthHeading } from './auth-parts.tsx'

type SetPasswordFormProps = {
  token: string
  mailbox: Extract<OpenedAccess, { type: 'OPEN' }>
  onDone: (email: string) => void
  /** The link is no longer as it was shown. */
  onStale: () => void
}

export function SetPasswordForm({ token, mailbox, onDone, onStale }: SetPasswordFormProps) {
  const { email, workspaceName, isReset } = mailbox
  const form = useForm<z.input<typeof acceptFields>>({
    resolver: zodResolver(acceptFields),
    defaultValues: { password: '', confirmPassword: '' },
  })
  const [refusal, setRefusal] = useState('')
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(async (values) => {
    setRefusal('')
    try {
      onDone((await call(acceptAccess, { body: { ...values, session: token } })).email)
    } catch (error) {
      if (error instanceof ApiError && ['INVALID_SIGNATURE', 'LINK_EXPIRED'].includes(error.type))
        return onStale()
      if (!showFieldErrors(form, error)) setRefusal(messageOf(error))
    }
  })
  return (
    <>
      <AuthHeading title={isReset ? 'Set a new password' : 'Your mailbox is ready'}>
        {isReset ? (
          <>
            For <strong className="font-medium text-ink">{email}</strong>. All your sessions end
            when it is saved.
          </>
        ) : (
          <>
            {workspaceName} has made <strong className="font-medium text-ink">{email}</strong> for
            you. Choose a password that only you know.
          </>
        )}
      </AuthHeading>
      <form noValidate onSubmit={submit} className="grid gap-5">
        {/* Password managers look for whose password it is. */}
        <input type="text" autoComplete="username" hidden readOnly value={email} />
        {refusal && <FormAlert>{refusal}</FormAlert>}
        <Field
          label="Password"
          required
          error={errors.password?.message}
          hint="At least 8 characters, with lowercase, uppercase, a number and a special character"
        >
          {(control) => (
            <PasswordInput
              {...control}
              {...form.register('password')}
              autoComplete="new-password"
            />
          )}
        </Field>
        <Field label="Confirm Password" required error={errors.confirmPassword?.message}>
          {(control) => (
            <PasswordInput
              {...control}
              {...form.register('confirmPassword')}
              autoComplete="new-password"
            />
          )}
        </Field>
        <Button type="submit" size="large" isPending={isSubmitting}>
          {isSubmitting ? 'Saving...' : 'Save password'}
        </Button>
      </form>
    </>
  )
}
