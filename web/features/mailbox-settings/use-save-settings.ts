/** Saves what changed: the names are those of whoever looks after mailboxes, the rest is its reader's too. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { changeMailboxSettings } from '#contract/mail/mailbox-settings.ts'
import { editMailbox, type Mailbox } from '#contract/mailboxes.ts'
import { knowMailbox } from '#web/features/mailbox-access/use-mailboxes.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { showFieldErrors } from '#web/lib/form-errors.ts'
import { holdSent } from '#web/lib/hold-sent.ts'
import { toast } from '#web/lib/toast-store.ts'
import type { LocalImages } from '#web/ui/editor/local-images.ts'
import type { SettingsValues } from './settings-fields.ts'

export function useSaveSettings(
  fields: UseFormReturn<SettingsValues>,
  mailbox: Mailbox,
  images: LocalImages,
  canManage: boolean,
) {
  const client = useQueryClient()
  const [refusal, setRefusal] = useState('')
  const edit = useCall(editMailbox)
  const change = useCall(changeMailboxSettings)
  const { dirtyFields } = fields.formState
  const send = async (values: SettingsValues): Promise<void> => {
    const { firstName, lastName, displayName } = values
    const params = { id: mailbox._id }
    const signature = await images.embed(values.signature ?? '')
    let saved = { ...mailbox, signature }
    if (canManage && (dirtyFields.firstName || dirtyFields.lastName || dirtyFields.signature))
      saved = await edit.mutateAsync({ params, body: { firstName, lastName, signature } })
    if (dirtyFields.displayName || !canManage)
      await change.mutateAsync({ params, body: { displayName, ...(!canManage && { signature }) } })
    knowMailbox(client, saved)
  }
  const save = async (values: SettingsValues): Promise<void> => {
    setRefusal('')
    const saved = holdSent(fields)
    try {
      await send(values)
    } catch (error) {
      if (!showFieldErrors(fields, error)) setRefusal(messageOf(error))
      return
    }
    saved()
    toast({ title: 'Mailbox saved', description: mailbox.email, variant: 'success' })
  }
  return { save, isSaving: edit.isPending || change.isPending, refusal }
}
