import { zodResolver } from '@hookform/resolvers/zod'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import {
  createWorkspace,
  renameWorkspace,
  type Workspace,
  workspaceForm,
} from '#contract/workspaces.ts'
import type { ApiError } from '#web/lib/api/api-error.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { showFieldErrors } from '#web/lib/form-errors.ts'
import { useKeptValues } from '#web/lib/kept-values.ts'
import { toastError } from '#web/lib/toast-store.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Field, Input } from '#web/ui/form/field.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'

type WorkspaceDialogProps = {
  /** The one to rename; absent to create one. */
  workspace?: Workspace | undefined
  onClose: () => void
  /** Created, or with its new name; called after the dialog has closed. */
  onSaved: (workspace: Workspace) => void
}

/** Names a workspace: a new one, or one's own. */
export function WorkspaceDialog({ workspace, onClose, onSaved }: WorkspaceDialogProps) {
  const formId = useId()
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
  const onError = (error: ApiError) => {
    if (!showFieldErrors(form, error)) toastError(error.message)
  }
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
    <>
      <Dialog
        isOpen
        onOpenChange={(isOpen) => !isOpen && !isPending && unsaved.requestClose()}
        title={text.title}
        description={
          workspace
            ? 'Everybody in it sees the new name.'
            : 'It has its own domains, mailboxes, members and bills. You become its Admin.'
        }
        footer={
          <>
            <Button variant="secondary" disabled={isPending} onClick={unsaved.requestClose}>
              Cancel
            </Button>
            <Button type="submit" form={formId} isPending={isPending}>
              {isPending ? text.going : text.go}
            </Button>
          </>
        }
      >
        <form id={formId} noValidate onSubmit={save}>
          <Field label="Name" required error={errors.name?.message}>
            {(control) => <Input {...control} {...form.register('name')} autoComplete="off" />}
          </Field>
        </form>
      </Dialog>
      {unsaved.question}
    </>
  )
}
