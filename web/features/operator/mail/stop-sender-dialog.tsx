import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { operatorReason } from '#contract/fields.ts'
import { type OperatedSender, stopQueued, stopSender } from '#contract/operator/senders.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { showRefusal } from '#web/lib/form-errors.ts'
import { toast } from '#web/lib/toast-store.ts'
import { Field, Input } from '#web/ui/form/field.tsx'
import { RadioCards } from '#web/ui/form/radio-cards.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'

const schema = z.object({ reason: operatorReason, queued: stopQueued })

const cards = [
  { value: 'hold', title: 'Hold what waits', description: 'It goes out when it may send again' },
  { value: 'drop', title: 'Drop what waits', description: 'It is never delivered; no bounce' },
] as const

type Props = { sender: OperatedSender; onClose: () => void }

export function StopSenderDialog({ sender: { _id: id, email }, onClose }: Props) {
  const form = useForm<z.infer<typeof schema>>({
    resolver: zodResolver(schema),
    defaultValues: { reason: '', queued: 'hold' },
  })
  const { errors, isDirty } = form.formState
  const unsaved = useUnsavedChanges(isDirty, onClose)
  const stop = useCall(stopSender, {
    onSuccess: () => {
      toast({ title: `${email} sends nothing any more`, variant: 'success' })
      unsaved.leave()
    },
    onError: (error) => showRefusal(form, error),
  })
  return (
    <FormDialog
      title={`Stop ${email}?`}
      description="It sends nothing to others until an operator resumes it. It still receives. Its Admins get a mail with the reason."
      unsaved={unsaved}
      isPending={stop.isPending}
      onSubmit={form.handleSubmit((how) => stop.mutate({ body: { sender: id, ...how } }))}
      submitText="Stop sending"
      pendingText="Stopping..."
      className="grid gap-5"
    >
      <Field label="Reason" required error={errors.reason?.message}>
        {(control) => <Input {...control} {...form.register('reason')} autoComplete="off" />}
      </Field>
      <RadioCards
        aria-label="What waits"
        value={form.watch('queued')}
        onValueChange={(queued) => form.setValue('queued', queued, { shouldDirty: true })}
        cards={cards}
        className="sm:grid-cols-2"
      />
    </FormDialog>
  )
}
