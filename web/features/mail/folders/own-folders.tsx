/** Creates folders of the reader's own below the list; a menu beside each folder renames and deletes it. */

import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { Ellipsis, FolderPlus, PenLine, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { z } from 'zod'
import {
  createFolder,
  deleteFolder,
  folderName,
  renameFolder,
  SLASH,
} from '#contract/mail/own-folders.ts'
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
  /** Name of the folder that the new one is to be inside. */
  outer?: string
  onClose: () => void
  onMade: (folder: Folder) => void
}

/** Renames a folder or creates one. */
export function FolderDialog({ mailboxId, folder, outer, onClose, onMade }: FolderDialogProps) {
  const client = useQueryClient()
  const form = useForm<z.infer<typeof values>>({
    resolver: zodResolver(values),
    defaultValues: { name: folder?.name ?? '' },
  })
  useKeptValues(`folder ${folder?._id ?? outer ?? mailboxId}`, form)
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
    else create.mutate({ params: { id: mailboxId }, body: inside(outer, body) })
  })
  return (
    <FormDialog
      title={titleOf(folder, outer)}
      unsaved={unsaved}
      onSubmit={submit}
      submitText={folder ? 'Rename' : 'Create'}
      isPending={isPending}
    >
      <Field
        label="Name"
        required
        hint="A slash puts a folder inside another: Clients/Ada"
        error={errors.name?.message}
      >
        {(control) => <Input {...control} {...form.register('name')} autoComplete="off" />}
      </Field>
    </FormDialog>
  )
}

const inside = (outer: string | undefined, { name }: { name: string }) => ({
  name: outer === undefined ? name : `${outer}${SLASH}${name}`,
})

const titleOf = (folder: Folder | null, outer: string | undefined): string => {
  if (folder) return `Rename ${folder.name}`
  return outer === undefined ? 'New folder' : `New folder in ${outer}`
}

/** `inner`: the folders inside it, which go with it. */
export const consequenceOf = (folder: Folder, inner: readonly Folder[]): string => {
  const messages = [folder, ...inner].reduce((sum, each) => sum + each.messages, 0)
  const folders = inner.length === 1 ? 'the folder' : `the ${inner.length} folders`
  const alsoDeleted = inner.length === 0 ? '' : `This deletes ${folders} inside it, too. `
  if (messages === 0) return `${alsoDeleted}${inner.length === 0 ? 'It is' : 'They are'} empty.`
  const theirs = inner.length === 0 ? 'Its' : 'Their'
  return `${alsoDeleted}${theirs} ${formatCount(messages)} ${messages === 1 ? 'message goes' : 'messages go'} to Trash.`
}

type FolderMenuProps = NewFolderProps & {
  folder: Folder
  /** Those inside it. */
  inner: readonly Folder[]
  /** true: it, or one inside it, is listed. */
  isHere: boolean
}

export function FolderMenu({ mailboxId, folder, inner, isHere, addressOf }: FolderMenuProps) {
  const [open, setOpen] = useState<'rename' | 'inner' | 'delete' | null>(null)
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
        <MenuItem onSelect={() => setOpen('inner')}>
          <FolderPlus aria-hidden />
          New folder inside
        </MenuItem>
        <MenuItem onSelect={() => setOpen('rename')}>
          <PenLine aria-hidden />
          Rename
        </MenuItem>
        <MenuItem isDangerous onSelect={() => setOpen('delete')}>
          <Trash2 aria-hidden />
          Delete
        </MenuItem>
      </DropdownMenu>
      {(open === 'rename' || open === 'inner') && (
        <FolderDialog
          mailboxId={mailboxId}
          folder={open === 'rename' ? folder : null}
          outer={folder.name}
          onClose={() => setOpen(null)}
          onMade={({ _id }) => void navigate(addressOf(_id))}
        />
      )}
      <ConfirmDialog
        isOpen={open === 'delete'}
        onOpenChange={(isOpen) => !isOpen && setOpen(null)}
        title={`Delete ${folder.name}?`}
        description={consequenceOf(folder, inner)}
        confirmText="Delete"
        isPending={remove.isPending}
        onConfirm={() => remove.mutate({ params: { id: mailboxId, folderId: folder._id } })}
      />
    </>
  )
}
