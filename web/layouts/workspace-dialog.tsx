import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import {
  createWorkspace,
  renameWorkspace,
  type Workspace,
  workspaceForm,
} from '#contract/workspaces.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { showRefusal } from '#web/lib/form-errors.ts'
import { useKeptValues } from '#web/lib/kept-values.ts'
import { Field, Input } from '#web/ui/form/field.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'

type WorkspaceDialogProps = {
  /** The workspace to rename; undefined: a new one. */
  workspace?: Workspace | undefined
  onClose: () => void
  /** Called with the created or renamed workspace after the dialog has closed. */
  onSaved: (workspace: Workspace) => void
}

/** Creates or renames a workspace. */
export function WorkspaceDialog({ workspace, onClose, onSaved }: WorkspaceDialogProps) {
  const form = useForm<z.input<typeof workspaceForm>>({
    resolver: zodResolver(workspaceForm),
    defaultValues: { name: workspace?.name ?? '' },
  })
  useKeptValues(`workspace ${workspace?._id ?? ''}`, form)
  const { errors, isDirty } = form.formState
  const unsaved = useUnsavedChanges(isDirty, onClose)
  const onSuccess = (saved: Workspace) => {
    unsaved.leave()
    onSaved(saved)
  }
  const onError = (error: unknown) => showRefusal(form, error)
  const create = useCall(createWorkspace, { onSuccess, onError })
  const rename = useCall(renameWorkspace, { onSuccess, onError })
  const isPending = create.isPending || rename.isPending
  const save = form.handleSubmit((body) => {
    if (workspace) rename.mutate({ params: { id: workspace._id }, body })
    else create.mutate({ body })
  })
  const text = workspace
    ? { title: 'Rename workspace', go: 'Save', going: 'Saving...' }
    : { title: 'Create workspace', go: 'Create', going: 'Creating...' }
  return (
    <FormDialog
      title={text.title}
      description={
        workspace
          ? 'Everybody in it sees the new name.'
          : 'It has its own domains, mailboxes, members and bills. You become its Admin.'
      }
      unsaved={unsaved}
      onSubmit={save}
      submitText={text.go}
      pendingText={text.going}
      isPending={isPending}
    >
      <Field label="Name" required error={errors.name?.message}>
        {(control) => <Input {...control} {...form.register('name')} autoComplete="off" />}
      </Field>
    </FormDialog>
  )
}
