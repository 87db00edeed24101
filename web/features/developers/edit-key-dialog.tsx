import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { type ApiKey, editApiKey } from '#contract/developers/api-keys.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { toast } from '#web/lib/toast-store.ts'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'
import { KeyFields } from './key-fields.tsx'
import { changeOf, type KeyValues, keySchema, showRefusedFields, valuesOf } from './key-values.ts'

type EditKeyDialogProps = { apiKey: ApiKey; onClose: () => void }

/** Only the member who made a key changes it: it acts as them. */
export function EditKeyDialog({ apiKey, onClose }: EditKeyDialogProps) {
  const [refusal, setRefusal] = useState('')
  const form = useForm<KeyValues>({
    resolver: zodResolver(keySchema),
    defaultValues: valuesOf(apiKey),
  })
  const unsaved = useUnsavedChanges(form.formState.isDirty, onClose)
  const change = useCall(editApiKey, {
    onSuccess: ({ name }) => {
      toast({ title: 'API key changed', description: name, variant: 'success' })
      unsaved.leave()
    },
    onError: (error) => {
      if (!showRefusedFields(form, error)) setRefusal(messageOf(error))
    },
  })
  const submit = form.handleSubmit((values) => {
    setRefusal('')
    change.mutate({ params: { id: apiKey._id }, body: changeOf(apiKey, values) })
  })
  return (
    <FormDialog
      title="Change API key"
      description="Programs that use it notice at once. The key itself stays the same."
      size="large"
      unsaved={unsaved}
      onSubmit={submit}
      submitText="Save"
      pendingText="Saving..."
      isPending={change.isPending}
      isUnchanged={!form.formState.isDirty}
      className="grid gap-5"
    >
      {refusal && <FormAlert>{refusal}</FormAlert>}
      <KeyFields form={form} />
    </FormDialog>
  )
}
