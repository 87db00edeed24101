import type { UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import type { profileForm } from '#contract/profile.ts'
import { InputField } from '#web/ui/form/field.tsx'
import { PasswordField } from '#web/ui/form/password-input.tsx'

export type DetailsValues = z.input<typeof profileForm>

type DetailsFieldsProps = { form: UseFormReturn<DetailsValues>; hasPassword: boolean }

export function DetailsFields({ form, hasPassword }: DetailsFieldsProps) {
  const { errors } = form.formState
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <InputField
        label="First name"
        required
        error={errors.firstName?.message}
        {...form.register('firstName')}
        autoComplete="given-name"
      />
      <InputField
        label="Last name"
        required
        error={errors.lastName?.message}
        {...form.register('lastName')}
        autoComplete="family-name"
      />
      <InputField
        label="Email"
        required
        error={errors.email?.message}
        hint="A new address takes effect when you open the link that we send to it."
        {...form.register('email')}
        type="email"
        autoCapitalize="none"
        autoComplete="username"
        spellCheck={false}
      />
      <PasswordField
        label="Password"
        required={false}
        error={errors.password?.message}
        hint={
          hasPassword
            ? 'Your current one, only needed to change the email.'
            : 'You sign in with Google and have none yet.'
        }
        {...form.register('password')}
        autoComplete="current-password"
      />
    </div>
  )
}
