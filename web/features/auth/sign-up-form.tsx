import { zodResolver } from '@hookform/resolvers/zod'
import { Controller, type UseFormReturn, useForm } from 'react-hook-form'
import { register, signUpForm } from '#contract/auth.ts'
import { call } from '#web/lib/api/api.ts'
import { ApiError, messageOf } from '#web/lib/api/api-error.ts'
import { showFieldErrors } from '#web/lib/form-errors.ts'
import { toast } from '#web/lib/toast-store.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Field, FieldError } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import { textLink } from './parts/text-link.ts'
import { useInstallation } from './parts/use-installation.ts'

type SignUpValues = {
  firstName: string
  lastName: string
  email: string
  password: string
  confirmPassword: string
  /** The form starts with false; only true is sent. */
  termsAccepted: true
}
type SignUp = UseFormReturn<SignUpValues>

/** `onMailed` gets the address that a verification link went to. */
export function SignUpForm({ onMailed }: { onMailed: (email: string) => void }) {
  const form = useForm<SignUpValues>({
    resolver: zodResolver(signUpForm),
    defaultValues: { firstName: '', lastName: '', email: '', password: '', confirmPassword: '' },
  })
  const { isSubmitting } = form.formState
  const submit = form.handleSubmit(async (values) => {
    try {
      await call(register, { body: values })
      onMailed(values.email)
    } catch (error) {
      if (error instanceof ApiError && error.type === 'NOT_VERIFIED') return onMailed(values.email)
      if (showFieldErrors(form, error)) return
      toast({ title: '❌ Error', description: messageOf(error), variant: 'error' })
    }
  })
  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      <div className="grid gap-5 sm:grid-cols-2 sm:gap-4">
        <TextField form={form} name="firstName" label="First name" autoComplete="given-name" />
        <TextField form={form} name="lastName" label="Last name" autoComplete="family-name" />
      </div>
      <TextField form={form} name="email" label="Email" autoComplete="username" type="email" />
      <SecretField form={form} name="password" label="Password" />
      <SecretField form={form} name="confirmPassword" label="Confirm Password" />
      <Terms form={form} />
      <Button type="submit" size="large" isPending={isSubmitting}>
        {isSubmitting ? 'Signing up...' : 'Sign Up'}
      </Button>
    </form>
  )
}

type TextFieldProps = {
  form: SignUp
  name: 'firstName' | 'lastName' | 'email'
  label: string
  autoComplete: string
  type?: 'text' | 'email'
}

function TextField({ form, name, label, ...input }: TextFieldProps) {
  return (
    <Field label={label} required error={form.formState.errors[name]?.message}>
      {(control) => <Input {...control} {...form.register(name)} {...input} />}
    </Field>
  )
}

type SecretFieldProps = { form: SignUp; name: 'password' | 'confirmPassword'; label: string }

function SecretField({ form, name, label }: SecretFieldProps) {
  return (
    <Field label={label} required error={form.formState.errors[name]?.message}>
      {(control) => (
        <PasswordInput {...control} {...form.register(name)} autoComplete="new-password" />
      )}
    </Field>
  )
}

function Terms({ form }: { form: SignUp }) {
  const termsUrl = useInstallation()?.termsUrl ?? paths.terms()
  const error = form.formState.errors.termsAccepted?.message
  return (
    <div className="grid gap-1.5">
      <div className="flex items-center gap-2.5">
        <Controller
          control={form.control}
          name="termsAccepted"
          render={({ field }) => (
            <Checkbox
              id="terms"
              ref={field.ref}
              name={field.name}
              checked={field.value === true}
              onCheckedChange={field.onChange}
              onBlur={field.onBlur}
              aria-required
              aria-invalid={error ? true : undefined}
              aria-describedby={error ? 'terms-error' : undefined}
            />
          )}
        />
        <label htmlFor="terms" className="text-sm">
          I agree to the{' '}
          <a href={termsUrl} target="_blank" rel="noopener" className={textLink}>
            Terms and conditions
          </a>
        </label>
      </div>
      <FieldError id="terms-error" message={error} />
    </div>
  )
}
