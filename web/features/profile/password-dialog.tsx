import { zodResolver } from '@hookform/resolvers/zod'
import { type UseFormReturn, useForm } from 'react-hook-form'
import type { z } from 'zod'
import { changePassword, NO_PASSWORD, passwordForm } from '#contract/profile.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { showRefusal } from '#web/lib/form-errors.ts'
import { toast } from '#web/lib/toast-store.ts'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { PasswordField } from '#web/ui/form/password-input.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'

type PasswordValues = z.input<typeof passwordForm>

type PasswordDialogProps = {
  /** For password managers. */
  email: string
  hasPassword: boolean
  onClose: () => void
}

export function PasswordDialog({ email, hasPassword, onClose }: PasswordDialogProps) {
  const form = useForm<PasswordValues>({
    resolver: zodResolver(passwordForm),
    mode: 'onTouched',
    defaultValues: { oldPassword: '', newPassword: '', confirmPassword: '' },
  })
  const unsaved = useUnsavedChanges(form.formState.isDirty, onClose)
  const save = useCall(changePassword, {
    onSuccess: ({ message }) => {
      unsaved.leave()
      toast({
        title: message,
        description: 'Your other sessions were signed out.',
        variant: 'success',
      })
    },
    onError: (error) => showRefusal(form, error),
  })
  return (
    <FormDialog
      title="Update password"
      description="All other sessions of your account end when it is saved."
      unsaved={unsaved}
      onSubmit={form.handleSubmit((body) => save.mutate({ body }))}
      submitText="Save"
      pendingText="Saving..."
      isPending={save.isPending}
      className="grid gap-4"
    >
      <input type="text" autoComplete="username" hidden readOnly value={email} />
      {!hasPassword && <FormAlert>{NO_PASSWORD}.</FormAlert>}
      <Secret form={form} name="oldPassword" label="Old Password" isOld />
      <Secret
        form={form}
        name="newPassword"
        label="New Password"
        hint="At least 6 characters; not one of the most common passwords"
      />
      <Secret form={form} name="confirmPassword" label="Confirm New Password" />
    </FormDialog>
  )
}

type SecretProps = {
  form: UseFormReturn<PasswordValues>
  name: keyof PasswordValues
  label: string
  isOld?: boolean
  hint?: string
}

function Secret({ form, name, label, isOld = false, hint }: SecretProps) {
  const error = form.formState.errors[name]?.message
  return (
    <PasswordField
      label={label}
      hint={!error && hint}
      error={error}
      {...form.register(name)}
      autoComplete={isOld ? 'current-password' : 'new-password'}
    />
  )
}
