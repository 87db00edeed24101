import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { announcementLink, announcementText } from '#contract/fields.ts'
import { announce, audience } from '#contract/operator/announcements.ts'
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
  text: announcementText,
  link: announcementLink,
  audience,
  /** Its last day; named as the server names what it refuses. */
  endsAt: z.string(),
})

const cards = [
  { value: 'everybody', title: 'Everybody', description: 'All who are signed in' },
  { value: 'admins', title: 'Admins', description: 'The Admins of workspaces' },
] as const

export function AnnounceDialog({ onClose }: { onClose: () => void }) {
  const form = useForm<z.infer<typeof schema>>({
    resolver: zodResolver(schema),
    defaultValues: { text: '', link: '', audience: 'everybody', endsAt: '' },
  })
  const { errors, isDirty } = form.formState
  const unsaved = useUnsavedChanges(isDirty, onClose)
  const say = useCall(announce, {
    onSuccess: () => {
      toast({ title: 'Announcement shown', variant: 'success' })
      unsaved.leave()
    },
    onError: (error) => showRefusal(form, error),
  })
  return (
    <FormDialog
      title="Announce"
      description="A sentence above every page, at once and until its last day. Each reader can dismiss it."
      unsaved={unsaved}
      isPending={say.isPending}
      onSubmit={form.handleSubmit(({ endsAt, ...said }) =>
        say.mutate({ body: { ...said, endsAt: endOfDay(endsAt) } }),
      )}
      submitText="Announce"
      pendingText="Announcing..."
      className="grid gap-5"
    >
      <Field
        label="Announcement"
        required
        hint={`${form.watch('text').length} of 300 characters`}
        error={errors.text?.message}
      >
        {(control) => <Input {...control} {...form.register('text')} autoComplete="off" />}
      </Field>
      <Field label="Link (optional)" hint="Begins with https://" error={errors.link?.message}>
        {(control) => (
          <Input {...control} {...form.register('link')} type="url" autoComplete="off" />
        )}
      </Field>
      <RadioCards
        aria-label="For whom"
        value={form.watch('audience')}
        onValueChange={(whom) => form.setValue('audience', whom, { shouldDirty: true })}
        cards={cards}
        className="sm:grid-cols-2"
      />
      <LastDayField
        label="Last day (optional)"
        error={errors.endsAt?.message}
        {...form.register('endsAt')}
      />
    </FormDialog>
  )
}
