/** Finds the folder that mail is moved to, or makes it. What is selected stays so until it has moved. */
import { FolderPlus } from 'lucide-react'
import { useId, useState } from 'react'
import { createFolder } from '#contract/mail/own-folders.ts'
import type { Folder } from '#contract/messages.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { Button } from '#web/ui/form/button.tsx'
import { FieldError } from '#web/ui/form/field.tsx'
import { SearchList } from '#web/ui/form/search-list.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { folderKey } from '../folders/folder-nav.tsx'
import { FolderDialog } from '../folders/own-folders.tsx'

/** A move that waits for its folder. */
export type PendingMove = { from: string; moveTo: (folder: Folder) => void }

type MoveDialogProps = {
  mailboxId: string
  folders: readonly Folder[]
  move: PendingMove
  onClose: () => void
}

/** More are found in the dialog. */
export const LISTED_TARGETS = 12

/** Folders that mail is moved to by hand. */
export const moveTargets = (folders: readonly Folder[], from: string): Folder[] =>
  folders.filter(
    (folder) => folderKey(folder) !== from && folder.role !== 'drafts' && folder.role !== 'sent',
  )

/** Begins the value of the option that makes a folder. */
const NEW = 'new '

export function MoveDialog({ mailboxId, folders, move, onClose }: MoveDialogProps) {
  const [isMaking, setIsMaking] = useState(false)
  const moveTo = (folder: Folder) => {
    onClose()
    move.moveTo(folder)
  }
  const create = useCall(createFolder, { onSuccess: moveTo })
  const errorId = useId()
  if (isMaking)
    return <FolderDialog mailboxId={mailboxId} folder={null} onClose={onClose} onMade={moveTo} />
  const targets = moveTargets(folders, move.from)
  const choose = (id: string) => {
    const folder = targets.find(({ _id }) => _id === id)
    if (folder) moveTo(folder)
    else create.mutate({ params: { id: mailboxId }, body: { name: id.slice(NEW.length) } })
  }
  const isNew = (typed: string) =>
    folders.every(({ name }) => name.toLowerCase() !== typed.toLowerCase())
  return (
    <Dialog isOpen onOpenChange={(isOpen) => !isOpen && onClose()} title="Move to">
      <SearchList
        label="Folders"
        options={targets.map(({ _id, name }) => ({ value: _id, label: name }))}
        chosen={[]}
        onChoose={choose}
        optionFor={(typed) =>
          isNew(typed) ? { value: `${NEW}${typed}`, label: `Make the folder “${typed}”` } : null
        }
        className="max-h-80"
      />
      <FieldError id={errorId} message={create.error?.message} />
      <Button variant="secondary" className="mt-3 w-full" onClick={() => setIsMaking(true)}>
        <FolderPlus aria-hidden />
        New folder
      </Button>
    </Dialog>
  )
}
