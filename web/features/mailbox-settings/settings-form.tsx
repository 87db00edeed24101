import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { changeMailboxSettings, type MailboxSettings } from '#contract/mail/mailbox-settings.ts'
import { getSending } from '#contract/mail/sending.ts'
import { editMailbox, type Mailbox } from '#contract/mailboxes.ts'
import { knowMailbox } from '#web/features/mailbox-access/use-mailboxes.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { showFieldErrors } from '#web/lib/form-errors.ts'
import { holdSent } from '#web/lib/hold-sent.ts'
import { useKeptValues } from '#web/lib/kept-values.ts'
import { toast } from '#web/lib/toast-store.ts'
import { Status, type Tone } from '#web/ui/data/badge.tsx'
import { createLocalImages, type LocalImages } from '#web/ui/editor/local-images.ts'
import { Button } from '#web/ui/form/button.tsx'
import { CopyButton } from '#web/ui/form/copy-button.tsx'
import { Field, Input, InputField } from '#web/ui/form/field.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'
import { FixedNames } from './fixed-names.tsx'
import { type SettingsValues, settingsFields } from './settings-fields.ts'
import { SignatureField } from './signature-field.tsx'

const statuses = {
  active: { tone: 'good', text: 'Active', means: 'It receives and sends.' },
  suspended: { tone: 'warn', text: 'Suspended', means: 'It receives, but cannot send.' },
  inactive: {
    tone: 'neutral',
    text: 'Inactive',
    means: 'It neither receives nor sends until it is active.',
  },
} as const satisfies Record<Mailbox['status'], { tone: Tone; text: string; means: string }>

type SettingsFormProps = { mailbox: Mailbox; settings: MailboxSettings; canManage: boolean }

export function SettingsForm({ mailbox, settings, canManage }: SettingsFormProps) {
  const fields = useForm<SettingsValues>({
    resolver: zodResolver(settingsFields),
    mode: 'onTouched',
    defaultValues: {
      displayName: settings.displayName,
      firstName: mailbox.firstName,
      lastName: mailbox.lastName,
      signature: settings.signature,
    },
  })
  // The editor starts anew with the restored values.
  const isBack = useKeptValues(`mailbox settings ${mailbox._id}`, fields)
  const { errors, isDirty } = fields.formState
  const [images] = useState(createLocalImages)
  useEffect(() => images.release, [images])
  const { save, isSaving, refusal } = useSaveSettings(fields, mailbox, images, canManage)
  const unsaved = useUnsavedChanges(isDirty && !isSaving)
  return (
    <form method="post" noValidate className="grid gap-5 p-5" onSubmit={fields.handleSubmit(save)}>
      {refusal && <FormAlert>{refusal}</FormAlert>}
      <Address mailbox={mailbox} />
      <DisplayNameField form={fields} />
      {canManage ? (
        <div className="grid gap-4 sm:grid-cols-2">
          {(['firstName', 'lastName'] as const).map((name) => (
            <InputField
              key={name}
              label={name === 'firstName' ? 'First name' : 'Last name'}
              required
              error={errors[name]?.message}
              {...fields.register(name)}
            />
          ))}
        </div>
      ) : (
        <div className="grid gap-1.5">
          <FixedNames mailbox={mailbox} />
          <p className="text-soft text-xs">
            An Admin or an Editor of this workspace can change them.
          </p>
        </div>
      )}
      <SignatureField key={String(isBack)} form={fields} images={images} />
      <div className="flex justify-end">
        <Button type="submit" isPending={isSaving} disabled={!isDirty}>
          {isSaving ? 'Saving...' : 'Save'}
        </Button>
      </div>
      {unsaved.question}
    </form>
  )
}

/** Saves what changed. Names need the right to manage mailboxes; readers may change the rest. */
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

function DisplayNameField({ form }: { form: UseFormReturn<SettingsValues> }) {
  const [firstName, lastName] = form.watch(['firstName', 'lastName'])
  return (
    <Field
      label="Display name"
      hint="What recipients see beside the address. Leave empty to use the first and the last name."
      error={form.formState.errors.displayName?.message}
    >
      {(control) => (
        <Input
          {...control}
          {...form.register('displayName')}
          placeholder={`${firstName} ${lastName}`.trim()}
        />
      )}
    </Field>
  )
}

export function Address({ mailbox }: { mailbox: Mailbox }) {
  const { data: sending } = useApi(getSending, { params: { id: mailbox._id } })
  const { tone, text, means } = statuses[mailbox.status]
  const isStopped = mailbox.status === 'active' && sending?.stopped
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="flex min-w-0 items-center gap-1">
        <span className="wrap-anywhere font-medium">{mailbox.email}</span>
        <CopyButton text={mailbox.email} label="Copy address" />
      </span>
      <Status tone={tone}>{text}</Status>
      {/* As long as the text that it replaces, so that nothing moves. */}
      {isStopped ? (
        <span className="text-bad text-xs">Sending has stopped.</span>
      ) : (
        <span className="text-soft text-xs">{means}</span>
      )}
    </div>
  )
}
