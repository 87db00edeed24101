import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { createFolder, folderName, renameFolder } from '#contract/mail/own-folders.ts'
import type { Folder } from '#contract/messages.ts'
import type { ApiError } from '#web/lib/api/api-error.ts'
import { readAgain, useCall } from '#web/lib/api/use-api.ts'
import { showFieldErrors } from '#web/lib/form-errors.ts'
import { useKeptValues } from '#web/lib/kept-values.ts'
import { toastError } from '#web/lib/toast-store.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Input } from '#web/ui/form/input.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'

const values = z.object({ name: folderName })

type FolderDialogProps = {
  mailboxId: string
  /** null makes a new one. */
  folder: Folder | null
  onClose: () => void
  onMade: (folder: Folder) => void
}

/** A new name, or a new folder. */
export function FolderDialog({ mailboxId, folder, onClose, onMade }: FolderDialogProps) {
  const client = useQueryClient()
  const form = useForm<z.infer<typeof values>>({
    resolver: zodResolver(values),
    defaultValues: { name: folder?.name ?? '' },
  })
  useKeptValues(`folder ${folder?._id ?? mailboxId}`, form)
  const options = {
    onSuccess: async (made: Folder) => {
      await readAgain(client, createFolder)
      onClose()
      if (!folder) onMade(made)
    },
    onError: (error: ApiError) => {
      if (!showFieldErrors(form, error)) toastError(error.message)
    },
  }
  const create = useCall(createFolder, options)
  const rename = useCall(renameFolder, options)
  const isPending = create.isPending || rename.isPending
  const submit = form.handleSubmit((body) => {
    if (folder) rename.mutate({ params: { id: mailboxId, folderId: folder._id }, body })
    else create.mutate({ params: { id: mailboxId }, body })
  })
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={folder ? `Rename ${folder.name}` : 'New folder'}
    >
      <form noValidate className="grid gap-4" onSubmit={submit}>
        <Field label="Name" required error={form.formState.errors.name?.message}>
          {(control) => <Input {...control} {...form.register('name')} autoComplete="off" />}
        </Field>
        <div className="flex justify-end gap-2">
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" isPending={isPending}>
            {folder ? 'Rename' : 'Create'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
