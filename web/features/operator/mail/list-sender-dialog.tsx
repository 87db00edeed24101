import { zodResolver } from '@hookform/resolvers/zod'
import { Ban, ShieldCheck } from 'lucide-react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { listedSender, operatorNote } from '#contract/fields.ts'
import { addListedSender, listAction } from '#contract/operator/lists.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { showRefusal } from '#web/lib/form-errors.ts'
import { endOfDay } from '#web/lib/time/end-of-day.ts'
import { toast } from '#web/lib/toast-store.ts'
import { Field, Input } from '#web/ui/form/field.tsx'
import { LastDayField } from '#web/ui/form/last-day-field.tsx'
import { RadioCards } from '#web/ui/form/radio-cards.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'

const schema = z.object({
  value: listedSender,
  action: listAction,
  /** Its last day; named as the server names what it refuses. */
  endsAt: z.string(),
  note: operatorNote,
})

const cards = [
  {
    value: 'block',
    title: 'Block',
    icon: Ban,
    description: 'Its mail is refused, with the reason',
  },
  {
    value: 'allow',
    title: 'Allow',
    icon: ShieldCheck,
    description: 'No greylist, no block list, no junk folder',
  },
] as const

export function ListSenderDialog({ onClose }: { onClose: () => void }) {
  const form = useForm<z.infer<typeof schema>>({
    resolver: zodResolver(schema),
    defaultValues: { value: '', action: 'block', endsAt: '', note: '' },
  })
  const { errors, isDirty } = form.formState
  const unsaved = useUnsavedChanges(isDirty, onClose)
  const add = useCall(addListedSender, {
    onSuccess: ({ value, action }) => {
      toast({ title: `${value} is ${action}ed`, variant: 'success' })
      unsaved.leave()
    },
    onError: (error) => showRefusal(form, error),
  })
  return (
    <FormDialog
      title="Block or allow"
      description="For all incoming mail of this installation. One that is listed already is changed."
      unsaved={unsaved}
      isPending={add.isPending}
      onSubmit={form.handleSubmit(({ endsAt, ...values }) =>
        add.mutate({ body: { ...values, endsAt: endOfDay(endsAt) } }),
      )}
      submitText="Add"
      pendingText="Adding..."
      className="grid gap-5"
    >
      <Field
        label="Sender or network"
        required
        hint="192.0.2.25, 192.0.2.0/24, eve@example.com, or example.com with its subdomains"
        error={errors.value?.message}
      >
        {(control) => (
          <Input
            {...control}
            {...form.register('value')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      <RadioCards
        aria-label="Block or allow"
        value={form.watch('action')}
        onValueChange={(action) => form.setValue('action', action, { shouldDirty: true })}
        cards={cards}
        className="sm:grid-cols-2"
      />
      <LastDayField
        label="Last day (optional)"
        error={errors.endsAt?.message}
        {...form.register('endsAt')}
      />
      <Field
        label="Note (optional)"
        hint="For other operators; no sender reads it"
        error={errors.note?.message}
      >
        {(control) => <Input {...control} {...form.register('note')} autoComplete="off" />}
      </Field>
    </FormDialog>
  )
}
