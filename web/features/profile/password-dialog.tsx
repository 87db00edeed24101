import { zodResolver } from '@hookform/resolvers/zod'
import { useId } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import type { z } from 'zod'
import { changePassword, NO_PASSWORD, passwordForm } from '#contract/profile.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { showFieldErrors } from '#web/lib/form-errors.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { PasswordInput } from '#web/ui/form/password-input.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'

type PasswordValues = z.input<typeof passwordForm>

type PasswordDialogProps = {
  /** For password managers. */
  email: string
  hasPassword: boolean
  onClose: () => void
}

export function PasswordDialog({ email, hasPassword, onClose }: PasswordDialogProps) {
  const formId = useId()
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
    onError: (error) => {
      if (showFieldErrors(form, error)) return
      toastError(messageOf(error))
    },
  })
  return (
    <>
      <Dialog
        isOpen
        onOpenChange={(isOpen) => !isOpen && !save.isPending && unsaved.requestClose()}
        title="Update password"
        description="All other sessions of your account end when it is saved."
        footer={
          <>
            <Button variant="secondary" disabled={save.isPending} onClick={unsaved.requestClose}>
              Cancel
            </Button>
            <Button type="submit" form={formId} isPending={save.isPending}>
              {save.isPending ? 'Saving...' : 'Save'}
            </Button>
          </>
        }
      >
        <form
          id={formId}
          noValidate
          className="grid gap-4"
          onSubmit={form.handleSubmit((body) => save.mutate({ body }))}
        >
          <input type="text" autoComplete="username" hidden readOnly value={email} />
          {!hasPassword && <FormAlert>{NO_PASSWORD}.</FormAlert>}
          <Secret form={form} name="oldPassword" label="Old Password" isOld />
          <Secret form={form} name="newPassword" label="New Password" />
          <Secret form={form} name="confirmPassword" label="Confirm New Password" />
        </form>
      </Dialog>
      {unsaved.question}
    </>
  )
}

type SecretProps = {
  form: UseFormReturn<PasswordValues>
  name: keyof PasswordValues
  label: string
  isOld?: boolean
}

function Secret({ form, name, label, isOld = false }: SecretProps) {
  return (
    <Field label={label} required error={form.formState.errors[name]?.message}>
      {(control) => (
        <PasswordInput
          {...control}
          {...form.register(name)}
          autoComplete={isOld ? 'current-password' : 'new-password'}
        />
      )}
    </Field>
  )
}
