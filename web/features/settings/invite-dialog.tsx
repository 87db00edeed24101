import { zodResolver } from '@hookform/resolvers/zod'
import { UserPlus } from 'lucide-react'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { invitationForm, inviteMember } from '#contract/invitations.ts'
import { type Role, role as roles } from '#contract/rights.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { showFieldErrors } from '#web/lib/form-errors.ts'
import { useKeptState, useKeptValues } from '#web/lib/kept-values.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Field, Input } from '#web/ui/form/field.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'

const mays: Record<Role, string> = {
  Admin: 'Can do everything, including users, bills and the company profile.',
  Editor: 'Manages domains and mailboxes, but not users, bills or the company profile.',
  User: 'Reads the mailboxes that are given to them.',
}
const options = roles.options.map((role) => ({ value: role, label: role }))

/** Asks whom to invite, and as what. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const formId = useId()
  const form = useForm<z.input<typeof invitationForm>>({
    resolver: zodResolver(invitationForm),
    defaultValues: { email: '', role: 'User' },
  })
  useKeptValues('invitation', form)
  const { errors, isDirty } = form.formState
  const unsaved = useUnsavedChanges(isDirty, onClose)
  const invite = useCall(inviteMember, {
    onSuccess: ({ email, role, isRenewed }) => {
      unsaved.leave()
      toast({
        title: isRenewed ? 'Invitation renewed' : 'Invitation sent',
        description: `${email} can join as ${role}.`,
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
        onOpenChange={(isOpen) => !isOpen && !invite.isPending && unsaved.requestClose()}
        title="Invite to the workspace"
        description="We mail a link that works once, for 7 days."
        footer={
          <>
            <Button variant="secondary" disabled={invite.isPending} onClick={unsaved.requestClose}>
              Cancel
            </Button>
            <Button type="submit" form={formId} isPending={invite.isPending}>
              {invite.isPending ? 'Inviting...' : 'Send invitation'}
            </Button>
          </>
        }
      >
        <form
          id={formId}
          noValidate
          className="grid gap-5"
          onSubmit={form.handleSubmit((body) => invite.mutate({ body }))}
        >
          <Field label="Email" required error={errors.email?.message}>
            {(control) => (
              <Input
                {...control}
                {...form.register('email')}
                type="email"
                inputMode="email"
                autoComplete="off"
              />
            )}
          </Field>
          <SelectField
            control={form.control}
            name="role"
            label="Role"
            required
            hint={mays[form.watch('role')]}
            options={options}
          />
        </form>
      </Dialog>
      {unsaved.question}
    </>
  )
}

export function InviteButton() {
  const [isOpen, setIsOpen] = useKeptState('inviting', false)
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>
        <UserPlus aria-hidden />
        Invite
      </Button>
      {isOpen && <InviteDialog onClose={() => setIsOpen(false)} />}
    </>
  )
}
