/** Creates folders of the reader's own below the list; a menu beside each folder renames and deletes it. */

import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { Ellipsis, FolderPlus, PenLine, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { z } from 'zod'
import { createFolder, deleteFolder, folderName, renameFolder } from '#contract/mail/own-folders.ts'
import type { Folder } from '#contract/messages.ts'
import { readAgain, useCall } from '#web/lib/api/use-api.ts'
import { showRefusal } from '#web/lib/form-errors.ts'
import { formatCount } from '#web/lib/format.ts'
import { useKeptValues } from '#web/lib/kept-values.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Field, Input } from '#web/ui/form/field.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { DropdownMenu, MenuItem } from '#web/ui/overlay/dropdown-menu.tsx'
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'

type NewFolderProps = { mailboxId: string; addressOf: (folder: string) => string }

export function NewFolder({ mailboxId, addressOf }: NewFolderProps) {
  const [isOpen, setIsOpen] = useState(false)
  const navigate = useNavigate()
  return (
    <>
      <Button
        variant="quiet"
        size="medium"
        className="w-full justify-start gap-2.5 px-2.5 font-normal"
        onClick={() => setIsOpen(true)}
      >
        <FolderPlus aria-hidden />
        New folder
      </Button>
      {isOpen && (
        <FolderDialog
          mailboxId={mailboxId}
          folder={null}
          onClose={() => setIsOpen(false)}
          onMade={({ _id }) => void navigate(addressOf(_id))}
        />
      )}
    </>
  )
}

const values = z.object({ name: folderName })

type FolderDialogProps = {
  mailboxId: string
  /** null: a new folder. */
  folder: Folder | null
  onClose: () => void
  onMade: (folder: Folder) => void
}

/** Renames a folder or creates one. */
export function FolderDialog({ mailboxId, folder, onClose, onMade }: FolderDialogProps) {
  const client = useQueryClient()
  const form = useForm<z.infer<typeof values>>({
    resolver: zodResolver(values),
    defaultValues: { name: folder?.name ?? '' },
  })
  useKeptValues(`folder ${folder?._id ?? mailboxId}`, form)
  const { errors, isDirty } = form.formState
  const unsaved = useUnsavedChanges(isDirty, onClose)
  const options = {
    onSuccess: async (made: Folder) => {
      await readAgain(client, createFolder)
      unsaved.leave()
      if (!folder) onMade(made)
    },
    onError: (error: unknown) => showRefusal(form, error),
  }
  const create = useCall(createFolder, options)
  const rename = useCall(renameFolder, options)
  const isPending = create.isPending || rename.isPending
  const submit = form.handleSubmit((body) => {
    if (folder) rename.mutate({ params: { id: mailboxId, folderId: folder._id }, body })
    else create.mutate({ params: { id: mailboxId }, body })
  })
  return (
    <FormDialog
      title={folder ? `Rename ${folder.name}` : 'New folder'}
      unsaved={unsaved}
      onSubmit={submit}
      submitText={folder ? 'Rename' : 'Create'}
      isPending={isPending}
    >
      <Field label="Name" required error={errors.name?.message}>
        {(control) => <Input {...control} {...form.register('name')} autoComplete="off" />}
      </Field>
    </FormDialog>
  )
}

const consequenceOf = ({ messages }: Folder): string =>
  messages === 0
    ? 'It is empty.'
    : `Its ${formatCount(messages)} ${messages === 1 ? 'message goes' : 'messages go'} to Trash.`

type FolderMenuProps = NewFolderProps & { folder: Folder; isHere: boolean }

export function FolderMenu({ mailboxId, folder, isHere, addressOf }: FolderMenuProps) {
  const [open, setOpen] = useState<'rename' | 'delete' | null>(null)
  const client = useQueryClient()
  const navigate = useNavigate()
  const remove = useCall(deleteFolder, {
    onSuccess: async ({ message }) => {
      setOpen(null)
      if (isHere) void navigate(addressOf('inbox'), { replace: true })
      await readAgain(client, deleteFolder)
      toast({ title: message })
    },
    onError: (error) => toastError(error.message),
  })
  return (
    <>
      <DropdownMenu
        trigger={
          <Button
            variant="quiet"
            size="iconSmall"
            aria-label={`Change ${folder.name}`}
            className="size-7"
          >
            <Ellipsis aria-hidden />
          </Button>
        }
      >
        <MenuItem onSelect={() => setOpen('rename')}>
          <PenLine aria-hidden />
          Rename
        </MenuItem>
        <MenuItem isDangerous onSelect={() => setOpen('delete')}>
          <Trash2 aria-hidden />
          Delete
        </MenuItem>
      </DropdownMenu>
      {open === 'rename' && (
        <FolderDialog
          mailboxId={mailboxId}
          folder={folder}
          onClose={() => setOpen(null)}
          onMade={() => undefined}
        />
      )}
      <ConfirmDialog
        isOpen={open === 'delete'}
        onOpenChange={(isOpen) => !isOpen && setOpen(null)}
        title={`Delete ${folder.name}?`}
        description={consequenceOf(folder)}
        confirmText="Delete"
        isPending={remove.isPending}
        onConfirm={() => remove.mutate({ params: { id: mailboxId, folderId: folder._id } })}
      />
    </>
  )
}
