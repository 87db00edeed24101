/** A new passkey, or another name for one. */
import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import {
  addPasskey,
  beginPasskey,
  type Passkey,
  renamePasskey,
} from '#contract/account/passkeys.ts'
import { passkeyName } from '#contract/fields.ts'
import { call } from '#web/lib/api/api.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { showFieldErrors } from '#web/lib/form-errors.ts'
import { toast } from '#web/lib/toast-store.ts'
import { makeBrowserPasskey } from '#web/second-step/browser-passkeys.ts'
import { InputField } from '#web/ui/form/field.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'
import type { NewCodes } from './app-card.tsx'
import { FIRST_SIGNS_OUT } from './app-dialog.tsx'

const schema = z.object({ name: passkeyName })

type PasskeyDialogProps = {
  /** null: a new one. */
  passkey: Passkey | null
  /** There is no factor yet. */
  isFirst: boolean
  onCodes: NewCodes
  onClose: () => void
}

export function PasskeyDialog({ passkey, isFirst, onCodes, onClose }: PasskeyDialogProps) {
  const form = useForm<z.input<typeof schema>>({
    resolver: zodResolver(schema),
    defaultValues: { name: passkey?.name ?? '' },
  })
  const [refusal, setRefusal] = useState('')
  const [isMaking, setIsMaking] = useState(false)
  const unsaved = useUnsavedChanges(form.formState.isDirty, onClose)
  const refused = (error: unknown) => {
    if (!showFieldErrors(form, error)) setRefusal(messageOf(error))
  }
  const done = (title: string, name: string) => {
    unsaved.leave()
    toast({ title, description: name, variant: 'success' })
  }
  const rename = useCall(renamePasskey, { onError: refused })
  const add = useCall(addPasskey, {
    onSuccess: ({ passkey: made, recoveryCodes }) => {
      done('Passkey added', made.name)
      if (recoveryCodes) onCodes(recoveryCodes, isFirst)
    },
    onError: refused,
  })
  const make = async (name: string) => {
    setIsMaking(true)
    try {
      const { challenge, options } = await call(beginPasskey, {})
      const made = await makeBrowserPasskey(options)
      add.mutate({ body: { challenge, name, passkey: made } })
    } catch (error) {
      refused(error)
    } finally {
      setIsMaking(false)
    }
  }
  const submit = form.handleSubmit(({ name }) => {
    setRefusal('')
    if (passkey === null) return make(name)
    const saved = { onSuccess: () => done('Passkey renamed', name) }
    rename.mutate({ params: { id: passkey._id }, body: { name } }, saved)
  })
  return (
    <FormDialog
      title={passkey === null ? 'Add a passkey' : 'Rename the passkey'}
      description={
        passkey === null
          ? `Your browser asks next for your finger, your face or the PIN of the device.${isFirst ? ` ${FIRST_SIGNS_OUT}` : ''}`
          : undefined
      }
      unsaved={unsaved}
      onSubmit={(event) => void submit(event)}
      submitText={passkey === null ? 'Continue' : 'Save'}
      pendingText={passkey === null ? 'Waiting for the device...' : 'Saving...'}
      isPending={isMaking || add.isPending || rename.isPending}
      className="grid gap-4"
    >
      {refusal && <FormAlert>{refusal}</FormAlert>}
      <InputField
        label="Name"
        required
        hint="So that you know it again when the device is lost"
        error={form.formState.errors.name?.message}
        {...form.register('name')}
        autoComplete="off"
      />
    </FormDialog>
  )
}
