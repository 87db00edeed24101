/** Finds the folder that mail is moved to, or makes it. What is selected stays so until it has moved. */
import { FolderPlus } from 'lucide-react'
import { useState } from 'react'
import type { Folder } from '#contract/messages.ts'
import { Button } from '#web/ui/form/button.tsx'
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

export function MoveDialog({ mailboxId, folders, move, onClose }: MoveDialogProps) {
  const [isMaking, setIsMaking] = useState(false)
  const moveTo = (folder: Folder) => {
    onClose()
    move.moveTo(folder)
  }
  if (isMaking)
    return <FolderDialog mailboxId={mailboxId} folder={null} onClose={onClose} onMade={moveTo} />
  const targets = moveTargets(folders, move.from)
  const choose = (id: string) => {
    const folder = targets.find(({ _id }) => _id === id)
    if (folder) moveTo(folder)
  }
  return (
    <Dialog isOpen onOpenChange={(isOpen) => !isOpen && onClose()} title="Move to">
      <SearchList
        label="Folders"
        options={targets.map(({ _id, name }) => ({ value: _id, label: name }))}
        chosen={[]}
        onChoose={choose}
        className="max-h-80"
      />
      <Button variant="secondary" className="mt-3 w-full" onClick={() => setIsMaking(true)}>
        <FolderPlus aria-hidden />
        New folder
      </Button>
    </Dialog>
  )
}
