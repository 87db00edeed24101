import { zodResolver } from '@hookform/resolvers/zod'
import { Controller, type UseFormReturn, useForm } from 'react-hook-form'
import { signUpForm } from '#contract/auth.ts'
import { showRefusal } from '#web/lib/form-errors.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Field, FieldError, Input } from '#web/ui/form/field.tsx'
import { PasswordField } from '#web/ui/form/password-input.tsx'
import { textLink } from './auth-parts.tsx'
import { useInstallation } from './use-installation.ts'

export type SignUpValues = {
  firstName: string
  lastName: string
  email: string
  password: string
  confirmPassword: string
  /** The form starts with false; only true can be submitted. */
  termsAccepted: true
}
type SignUp = UseFormReturn<SignUpValues>

type SignUpFormProps = {
  /** Submits the values. The form shows the error that it throws. */
  send: (values: SignUpValues) => Promise<unknown>
  /** The address of an invitation, which cannot be changed. */
  fixedEmail?: string
  /** The operator's own account: the terms are the operator's. */
  isOperators?: boolean
}

export function SignUpForm({ send, fixedEmail, isOperators = false }: SignUpFormProps) {
  const form = useForm<SignUpValues>({
    resolver: zodResolver(signUpForm),
    defaultValues: {
      ...{ firstName: '', lastName: '', email: fixedEmail ?? '' },
      ...{ password: '', confirmPassword: '' },
      ...(isOperators && { termsAccepted: true }),
    },
  })
  const { isSubmitting } = form.formState
  const submit = form.handleSubmit(async (values) => {
    try {
      await send(values)
    } catch (error) {
      showRefusal(form, error)
    }
  })
  return (
    <form method="post" noValidate onSubmit={submit} className="grid gap-5">
      <div className="grid gap-5 sm:grid-cols-2 sm:gap-4">
        <TextField form={form} name="firstName" label="First name" autoComplete="given-name" />
        <TextField form={form} name="lastName" label="Last name" autoComplete="family-name" />
      </div>
      <TextField
        form={form}
        name="email"
        label="Email"
        autoComplete="username"
        type="email"
        readOnly={fixedEmail !== undefined}
      />
      <SecretField
        form={form}
        name="password"
        label="Password"
        hint="8 to 50 characters, with lowercase, uppercase, a number and a special character"
      />
      <SecretField form={form} name="confirmPassword" label="Confirm Password" />
      {!isOperators && <Terms form={form} />}
      <Button type="submit" size="large" isPending={isSubmitting}>
        {isSubmitting ? 'Signing up...' : isOperators ? 'Make the account' : 'Sign Up'}
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
  readOnly?: boolean
}

function TextField({ form, name, label, ...input }: TextFieldProps) {
  return (
    <Field label={label} required error={form.formState.errors[name]?.message}>
      {(control) => (
        <Input
          {...control}
          {...form.register(name)}
          {...input}
          className={input.readOnly ? 'bg-sunken text-soft' : ''}
        />
      )}
    </Field>
  )
}

type SecretFieldProps = {
  form: SignUp
  name: 'password' | 'confirmPassword'
  label: string
  hint?: string
}

function SecretField({ form, name, label, hint }: SecretFieldProps) {
  const error = form.formState.errors[name]?.message
  return (
    <PasswordField label={label} hint={!error && hint} error={error} {...form.register(name)} />
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
