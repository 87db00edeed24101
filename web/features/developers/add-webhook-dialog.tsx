/** Adds a webhook and shows its secret, this once. */
import { zodResolver } from '@hookform/resolvers/zod'
import { useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import { addWebhook, type MadeWebhook, webhookForm } from '#contract/developers/webhooks.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { showFieldErrors } from '#web/lib/form-errors.ts'
import { useKeptValues } from '#web/lib/kept-values.ts'
import { Button } from '#web/ui/form/button.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'
import { LEAVING_SECRET, MadeSecret } from './made-secret.tsx'
import { WebhookFields, type WebhookValues } from './webhook-fields.tsx'

export function AddWebhookDialog({ onClose }: { onClose: () => void }) {
  const formId = useId()
  const [made, setMade] = useState<MadeWebhook | null>(null)
  const [isSeen, setIsSeen] = useState(false)
  const [refusal, setRefusal] = useState('')
  const form = useForm<WebhookValues>({
    resolver: zodResolver(webhookForm),
    defaultValues: { url: '', topics: [] },
  })
  useKeptValues('a new webhook', form)
  const unsaved = useUnsavedChanges(made !== null && !isSeen, onClose, LEAVING_SECRET)
  const add = useCall(addWebhook, {
    onSuccess: setMade,
    onError: (error) => {
      if (!showFieldErrors(form, error)) setRefusal(messageOf(error))
    },
  })
  const submit = form.handleSubmit((body) => {
    setRefusal('')
    add.mutate({ body })
  })
  return (
    <>
      <Dialog
        isOpen
        onOpenChange={(isOpen) => !isOpen && (made || !add.isPending) && unsaved.requestClose()}
        size="medium"
        title={made ? 'Webhook added' : 'Add webhook'}
        description={
          made
            ? 'This is the secret that signs its events.'
            : 'Your server is told what you choose.'
        }
        footer={
          made ? (
            <Button variant="secondary" onClick={unsaved.leave}>
              Done
            </Button>
          ) : (
            <>
              <Button variant="secondary" disabled={add.isPending} onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" form={formId} isPending={add.isPending}>
                {add.isPending ? 'Adding...' : 'Add webhook'}
              </Button>
            </>
          )
        }
      >
        {made ? (
          <MadeSecret secret={made.secret} isNew onCopied={() => setIsSeen(true)} />
        ) : (
          <form method="post" id={formId} noValidate className="grid gap-5" onSubmit={submit}>
            {refusal && <FormAlert>{refusal}</FormAlert>}
            <WebhookFields form={form} />
          </form>
        )}
      </Dialog>
      {unsaved.question}
    </>
  )
}
