import { zodResolver } from '@hookform/resolvers/zod'
import { HardDrive, Pause, Play, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { operatorReason } from '#contract/fields.ts'
import {
  type OperatedWorkspace,
  resumeWorkspace,
  setWorkspaceQuota,
  suspendWorkspace,
} from '#contract/operator/workspaces.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { showRefusal } from '#web/lib/form-errors.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Field, Input } from '#web/ui/form/field.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'
import { DeleteWorkspaceDialog } from './delete-workspace-dialog.tsx'
import { gigabytes, toBytes, toGigabytes } from './gigabytes.ts'

type Props = { workspace: OperatedWorkspace }

export function WorkspaceActions({ workspace }: Props) {
  const [open, setOpen] = useState<'suspend' | 'quota' | 'delete' | null>(null)
  const { _id: id, name, suspendedAt } = workspace
  const resume = useCall(resumeWorkspace, {
    onSuccess: () => toast({ title: `${name} sends again`, variant: 'success' }),
    onError: (error) => toastError(messageOf(error)),
  })
  const close = () => setOpen(null)
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen('quota')}>
        <HardDrive aria-hidden />
        Storage
      </Button>
      {suspendedAt === null ? (
        <Button variant="secondary" onClick={() => setOpen('suspend')}>
          <Pause aria-hidden />
          Suspend
        </Button>
      ) : (
        <Button isPending={resume.isPending} onClick={() => resume.mutate({ params: { id } })}>
          {!resume.isPending && <Play aria-hidden />}
          Resume
        </Button>
      )}
      <Button variant="quiet" onClick={() => setOpen('delete')}>
        <Trash2 aria-hidden />
        Delete
      </Button>
      {open === 'delete' && <DeleteWorkspaceDialog workspace={workspace} onClose={close} />}
      {open === 'suspend' && <SuspendDialog workspace={workspace} onClose={close} />}
      {open === 'quota' && <QuotaDialog workspace={workspace} onClose={close} />}
    </>
  )
}

const suspendForm = z.object({ reason: operatorReason })

function SuspendDialog({ workspace: { _id: id, name }, onClose }: Props & { onClose: () => void }) {
  const form = useForm({ resolver: zodResolver(suspendForm), defaultValues: { reason: '' } })
  const { errors, isDirty } = form.formState
  const unsaved = useUnsavedChanges(isDirty, onClose)
  const suspend = useCall(suspendWorkspace, {
    onSuccess: () => {
      toast({ title: `${name} sends nothing any more`, variant: 'success' })
      unsaved.leave()
    },
    onError: (error) => showRefusal(form, error),
  })
  return (
    <FormDialog
      title={`Suspend ${name}?`}
      description="It sends nothing to others, also nothing of what waits. It still receives and is read. Its members read the reason."
      unsaved={unsaved}
      isPending={suspend.isPending}
      onSubmit={form.handleSubmit((body) => suspend.mutate({ params: { id }, body }))}
      submitText="Suspend"
      pendingText="Suspending..."
    >
      <Field label="Reason" required error={errors.reason?.message}>
        {(control) => <Input {...control} {...form.register('reason')} autoComplete="off" />}
      </Field>
    </FormDialog>
  )
}

const quotaForm = z.object({ gigabytes })

function QuotaDialog({ workspace, onClose }: Props & { onClose: () => void }) {
  const { _id: id, name, quotaBytes } = workspace
  const form = useForm({
    resolver: zodResolver(quotaForm),
    defaultValues: { gigabytes: toGigabytes(quotaBytes) },
  })
  const { errors, isDirty } = form.formState
  const unsaved = useUnsavedChanges(isDirty, onClose)
  const change = useCall(setWorkspaceQuota, {
    onSuccess: () => {
      toast({ title: `The storage of ${name} is set`, variant: 'success' })
      unsaved.leave()
    },
    onError: (error) => showRefusal(form, error),
  })
  const save = form.handleSubmit((values) =>
    change.mutate({ params: { id }, body: { quotaBytes: toBytes(values.gigabytes) } }),
  )
  return (
    <FormDialog
      title={`Storage of ${name}`}
      description="How much all its mailboxes may hold together. When it is full, new mail waits at its senders."
      unsaved={unsaved}
      isPending={change.isPending}
      onSubmit={save}
      submitText="Save"
      pendingText="Saving..."
    >
      <Field label="Gigabytes" required error={errors.gigabytes?.message}>
        {(control) => (
          <Input
            {...control}
            {...form.register('gigabytes')}
            inputMode="decimal"
            autoComplete="off"
          />
        )}
      </Field>
    </FormDialog>
  )
}
