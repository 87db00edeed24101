import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { getSending } from '#contract/mail/sending.ts'
import { editMailbox, listMailboxes, type Mailbox } from '#contract/mailboxes.ts'
import { readAgain, useApi, useCall } from '#web/lib/api/use-api.ts'
import { showFieldErrors } from '#web/lib/form-errors.ts'
import { useKeptValues } from '#web/lib/kept-values.ts'
import { toast } from '#web/lib/toast-store.ts'
import { Status, type Tone } from '#web/ui/data/badge.tsx'
import { createLocalImages } from '#web/ui/editor/local-images.ts'
import { Button } from '#web/ui/form/button.tsx'
import { CopyButton } from '#web/ui/form/copy-button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'
import { knowMailbox } from '../place/use-mailboxes.ts'
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

type SettingsFormProps = { mailbox: Mailbox; canManage: boolean }

export function SettingsForm({ mailbox, canManage }: SettingsFormProps) {
  const fields = useForm<SettingsValues>({
    resolver: zodResolver(settingsFields),
    mode: 'onTouched',
    defaultValues: {
      firstName: mailbox.firstName,
      lastName: mailbox.lastName,
      signature: mailbox.signature,
    },
  })
  // The editor begins anew with what came back.
  const isBack = useKeptValues(`mailbox settings ${mailbox._id}`, fields)
  const { errors, isDirty } = fields.formState
  const [images] = useState(createLocalImages)
  useEffect(() => images.release, [images])
  const { save, isSaving, refusal } = useSave(fields, mailbox, images)
  const unsaved = useUnsavedChanges(isDirty && !isSaving, () => {})
  return (
    <form noValidate className="grid gap-5 p-5" onSubmit={fields.handleSubmit(save)}>
      {refusal && <FormAlert>{refusal}</FormAlert>}
      <Address mailbox={mailbox} />
      {!canManage && (
        <p className="rounded-xl bg-hover px-3.5 py-3 text-soft text-sm">
          Only an Admin or an Editor of this workspace may change these settings.
        </p>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="First name" required error={errors.firstName?.message}>
          {(control) => (
            <Input
              {...control}
              {...fields.register('firstName')}
              readOnly={!canManage}
              className={canManage ? '' : 'bg-sunken text-soft'}
            />
          )}
        </Field>
        <Field label="Last name" required error={errors.lastName?.message}>
          {(control) => (
            <Input
              {...control}
              {...fields.register('lastName')}
              readOnly={!canManage}
              className={canManage ? '' : 'bg-sunken text-soft'}
            />
          )}
        </Field>
      </div>
      <SignatureField key={String(isBack)} form={fields} images={images} canManage={canManage} />
      {canManage && (
        <div className="flex justify-end">
          <Button type="submit" isPending={isSaving} disabled={!isDirty}>
            {isSaving ? 'Saving...' : 'Save'}
          </Button>
        </div>
      )}
      {unsaved.question}
    </form>
  )
}

function Address({ mailbox }: { mailbox: Mailbox }) {
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
      {/* As long as what it takes the place of: nothing moves for it. */}
      {isStopped ? (
        <span className="text-bad text-xs">Sending has stopped.</span>
      ) : (
        <span className="text-soft text-xs">{means}</span>
      )}
    </div>
  )
}

function useSave(
  fields: ReturnType<typeof useForm<SettingsValues>>,
  mailbox: Mailbox,
  images: ReturnType<typeof createLocalImages>,
) {
  const client = useQueryClient()
  const [refusal, setRefusal] = useState('')
  const edit = useCall(editMailbox, {
    onSuccess: async (saved) => {
      knowMailbox(client, saved)
      fields.reset(fields.getValues())
      toast({ title: 'Mailbox saved', description: mailbox.email, variant: 'success' })
      await readAgain(client, listMailboxes)
    },
    onError: (error) => {
      if (!showFieldErrors(fields, error)) setRefusal(error.message)
    },
  })
  const save = async ({ firstName, lastName, signature = '' }: SettingsValues) => {
    setRefusal('')
    const embedded = await images.embed(signature)
    edit.mutate({
      params: { id: mailbox._id },
      body: { firstName, lastName, signature: embedded },
    })
  }
  return { save, isSaving: edit.isPending, refusal }
}
