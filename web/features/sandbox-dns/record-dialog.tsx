import { zodResolver } from '@hookform/resolvers/zod'
import { type UseFormReturn, useForm } from 'react-hook-form'
import {
  addSandboxRecord,
  changeSandboxRecord,
  type SandboxRecord,
  type SandboxRecordForm,
  type SandboxZone,
  sandboxRecordForm,
  sandboxRecordTypes,
} from '#contract/dns/sandbox.ts'
import type { ApiError } from '#web/lib/api/api-error.ts'
import { showRefusal } from '#web/lib/form-errors.ts'
import { cn } from '#web/ui/cn.ts'
import { Field, Input, inputStyle } from '#web/ui/form/field.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'
import { useZoneChange } from './use-zone.ts'

const check = zodResolver(sandboxRecordForm)
const resolver: typeof check = (values, ...rest) => check(sent(values), ...rest)

/** Only MX records have a priority. */
const sent = (form: SandboxRecordForm): SandboxRecordForm => ({
  ...form,
  priority: form.type === 'MX' ? form.priority : null,
})

const NEW: SandboxRecordForm = { host: '', type: 'TXT', value: '', priority: 10, ttl: 300 }
const types = sandboxRecordTypes.map((type) => ({ value: type, label: type }))

type RecordDialogProps = { zone: SandboxZone; record: SandboxRecord | null; onClose: () => void }

/** Adds or edits a record. */
export function RecordDialog({ zone, record, onClose }: RecordDialogProps) {
  const form = useForm<SandboxRecordForm>({ resolver, defaultValues: startOf(record) })
  const unsaved = useUnsavedChanges(form.formState.isDirty, onClose)
  const refuse = (error: ApiError) => showRefusal(form, error)
  const add = useZoneChange(addSandboxRecord, zone._id, refuse)
  const change = useZoneChange(changeSandboxRecord, zone._id, refuse)
  const isPending = add.isPending || change.isPending
  const params = { id: zone._id }
  const onSuccess = () => unsaved.leave()
  const save = (values: SandboxRecordForm) => {
    const body = sent(values)
    if (record === null) add.mutate({ params, body }, { onSuccess })
    else change.mutate({ params: { ...params, recordId: record.id }, body }, { onSuccess })
  }
  return (
    <FormDialog
      title={record === null ? 'Add record' : 'Edit record'}
      description={`In the zone ${zone.zone ?? zone.name}.`}
      size="medium"
      unsaved={unsaved}
      onSubmit={form.handleSubmit(save)}
      submitText={record === null ? 'Add record' : 'Save'}
      isPending={isPending}
      className="grid gap-5 sm:grid-cols-2"
    >
      <RecordFields form={form} zone={zone.zone ?? zone.name} />
    </FormDialog>
  )
}

const startOf = (record: SandboxRecord | null): SandboxRecordForm => {
  if (record === null) return NEW
  const { host, type, value, priority, ttl } = record
  return { host, type, value, priority: priority ?? NEW.priority, ttl }
}

type RecordFieldsProps = { form: UseFormReturn<SandboxRecordForm>; zone: string }

function RecordFields({ form, zone }: RecordFieldsProps) {
  const { errors } = form.formState
  const [type, host] = form.watch(['type', 'host'])
  const number = { valueAsNumber: true }
  return (
    <>
      <SelectField control={form.control} name="type" label="Type" required options={types} />
      <Field label="TTL" required error={errors.ttl?.message} hint="In seconds.">
        {(control) => (
          <Input {...control} {...form.register('ttl', number)} type="number" inputMode="numeric" />
        )}
      </Field>
      <Field
        label="Host"
        error={errors.host?.message}
        hint={
          <span className="wrap-anywhere">The record will stand at {fullName(host, zone)}.</span>
        }
        className="sm:col-span-2"
      >
        {(control) => (
          <Input
            {...control}
            {...form.register('host')}
            placeholder="@"
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
          />
        )}
      </Field>
      {type === 'MX' && (
        <Field label="Priority" required error={errors.priority?.message} className="sm:col-span-2">
          {(control) => (
            <Input
              {...control}
              {...form.register('priority', number)}
              type="number"
              inputMode="numeric"
            />
          )}
        </Field>
      )}
      <Field label="Value" required error={errors.value?.message} className="sm:col-span-2">
        {(control) => (
          <textarea
            {...control}
            {...form.register('value')}
            rows={4}
            spellCheck={false}
            autoCapitalize="none"
            className={cn(inputStyle, 'py-2 font-mono md:text-xs')}
          />
        )}
      </Field>
    </>
  )
}

/** The full name as the editor reads it: the zone is appended to what was typed. */
const fullName = (typed: string, zone: string): string => {
  const host = typed.trim().toLowerCase()
  if (host === '' || host === '@') return zone
  return host.endsWith('.') ? host.slice(0, -1) : `${host}.${zone}`
}
