import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { changeWebhook, type Webhook, webhookForm } from '#contract/developers/webhooks.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { showRefusal } from '#web/lib/form-errors.ts'
import { toast } from '#web/lib/toast-store.ts'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'
import { WebhookFields, type WebhookValues } from './webhook-fields.tsx'

type EditWebhookDialogProps = { webhook: Webhook; onClose: () => void }

export function EditWebhookDialog({ webhook, onClose }: EditWebhookDialogProps) {
  const { _id: id, url, topics } = webhook
  const form = useForm<WebhookValues>({
    resolver: zodResolver(webhookForm),
    defaultValues: { url, topics },
  })
  const unsaved = useUnsavedChanges(form.formState.isDirty, onClose)
  const change = useCall(changeWebhook, {
    onSuccess: () => {
      toast({ title: 'Webhook changed', variant: 'success' })
      unsaved.leave()
    },
    onError: (error) => showRefusal(form, error),
  })
  return (
    <FormDialog
      title="Change webhook"
      description="What waits goes to the new address, too."
      size="medium"
      unsaved={unsaved}
      onSubmit={form.handleSubmit((body) => change.mutate({ params: { id }, body }))}
      submitText="Save"
      pendingText="Saving..."
      isPending={change.isPending}
      isUnchanged={!form.formState.isDirty}
    >
      <WebhookFields form={form} />
    </FormDialog>
  )
}
