import { zodResolver } from '@hookform/resolvers/zod'
import { UserPlus } from 'lucide-react'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { invitationForm, inviteMember } from '#contract/invitations.ts'
import { type Role, role as roles } from '#contract/rights.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { showRefusal } from '#web/lib/form-errors.ts'
import { useKeptState, useKeptValues } from '#web/lib/kept-values.ts'
import { toast } from '#web/lib/toast-store.ts'
import { Button } from '#web/ui/form/button.tsx'
import { InputField } from '#web/ui/form/field.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'

const mays: Record<Role, string> = {
  Admin: 'Can do everything, including users, bills and the company profile.',
  Editor:
    'Adds domains and mailboxes, changes them and gives people access; no users, bills or company profile.',
  User: 'Reads the mailboxes that are given to them.',
}
const options = roles.options.map((role) => ({ value: role, label: role }))

/** Asks for the address and the role of a new member. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
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
    onError: (error) => showRefusal(form, error),
  })
  return (
    <FormDialog
      title="Invite to the workspace"
      description="We mail a link that works once, for 7 days."
      unsaved={unsaved}
      onSubmit={form.handleSubmit((body) => invite.mutate({ body }))}
      submitText="Send invitation"
      pendingText="Inviting..."
      isPending={invite.isPending}
      className="grid gap-5"
    >
      <InputField
        label="Email"
        required
        error={errors.email?.message}
        {...form.register('email')}
        type="email"
        inputMode="email"
        autoComplete="off"
      />
      <SelectField
        control={form.control}
        name="role"
        label="Role"
        required
        hint={<WhatRolesMay />}
        options={options}
      />
    </FormDialog>
  )
}

/** In a hint, which is a paragraph: so no list. */
function WhatRolesMay() {
  return (
    <span className="mt-1 grid gap-1.5">
      {roles.options.map((role) => (
        <span key={role} className="grid grid-cols-[3.5rem_1fr] gap-x-2">
          <span className="font-medium text-ink">{role}</span>{' '}
          <span className="text-pretty">{mays[role]}</span>
        </span>
      ))}
    </span>
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
