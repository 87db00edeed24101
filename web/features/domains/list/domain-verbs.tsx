/** What can be done with the selected domains. Dialogs are loaded when they open: the list shows without them. */
import { Download, FolderInput, RotateCw, Send, Trash2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { exportManyRecords } from '#contract/many-domains.ts'
import { separatorOf } from '#contract/spreadsheet.ts'
import type { JustDeleted } from '#web/deletions/just-deleted.tsx'
import { open } from '#web/lib/api/api.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useCan } from '#web/lib/api/use-can.ts'
import { lazyPart } from '#web/lib/fetch-part.ts'
import { datedName, saveAs } from '#web/lib/save-as.ts'
import { toastError } from '#web/lib/toast-store.ts'
import { SelectionBar } from '#web/ui/data/selection-bar.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { DropdownMenu, MenuItem } from '#web/ui/overlay/dropdown-menu.tsx'
import type { DomainRow } from './domain-rows.ts'

const dialogs = () => import('./many-domains-dialogs.tsx')
const VerifyMany = lazyPart(async () => (await dialogs()).VerifyMany)
const MoveMany = lazyPart(async () => (await dialogs()).MoveMany)
const DeleteMany = lazyPart(async () => (await dialogs()).DeleteMany)
const SendLinkDialog = lazyPart(
  async () => (await import('../dns-link/send-link.tsx')).SendLinkDialog,
)

type Verb = 'verify' | 'send' | 'move' | 'delete'
type DomainVerbsProps = {
  domains: readonly DomainRow[]
  onClear: () => void
  onDeleted: (deleted: readonly JustDeleted[]) => void
}

export function DomainVerbs({ domains, onClear, onDeleted }: DomainVerbsProps) {
  // A dialog is about the domains that were selected when it opened: its verb may end their selection.
  const [asked, setAsked] = useState<{ verb: Verb; domains: readonly DomainRow[] } | null>(null)
  const canMove = useCan('move-domains')
  const canDelete = useCan('delete-domains')
  const ask = (verb: Verb) => () => setAsked({ verb, domains })
  const close = () => setAsked(null)
  const [first, ...others] = asked?.domains ?? []
  return (
    <>
      {domains.length > 0 && (
        <SelectionBar count={domains.length} onClear={onClear}>
          <Button variant="secondary" size="small" onClick={ask('verify')}>
            <RotateCw aria-hidden />
            Verify all
          </Button>
          <Button variant="secondary" size="small" onClick={ask('send')}>
            <Send aria-hidden />
            Send link
          </Button>
          <ExportMenu domains={domains} />
          <Button variant="secondary" size="small" disabled={!canMove} onClick={ask('move')}>
            <FolderInput aria-hidden />
            Move
          </Button>
          <Button variant="secondary" size="small" disabled={!canDelete} onClick={ask('delete')}>
            <Trash2 aria-hidden />
            Delete
          </Button>
        </SelectionBar>
      )}
      <Suspense>
        {asked?.verb === 'verify' && <VerifyMany domains={asked.domains} onClose={close} />}
        {asked?.verb === 'send' && first && (
          <SendLinkDialog domains={[first, ...others]} onClose={close} />
        )}
        {asked?.verb === 'move' && <MoveMany domains={asked.domains} onClose={close} />}
        {asked?.verb === 'delete' && (
          <DeleteMany domains={asked.domains} onClose={close} onDeleted={onDeleted} />
        )}
      </Suspense>
    </>
  )
}

function ExportMenu({ domains }: { domains: readonly DomainRow[] }) {
  const save = async (format: 'csv' | 'zone') => {
    const { method, path } = exportManyRecords
    const separator = separatorOf(navigator.language)
    const body = JSON.stringify({ ids: domains.map(({ _id }) => _id), format, separator })
    try {
      const answer = await open(path, { method, body })
      saveAs(await answer.blob(), datedName('dns-records', format === 'csv' ? 'csv' : 'zone.txt'))
    } catch (error) {
      toastError(messageOf(error))
    }
  }
  return (
    <DropdownMenu
      align="start"
      trigger={
        <Button variant="secondary" size="small">
          <Download aria-hidden />
          Export records
        </Button>
      }
    >
      <MenuItem onSelect={() => void save('csv')}>As a table (CSV)</MenuItem>
      <MenuItem onSelect={() => void save('zone')}>As zone files</MenuItem>
    </DropdownMenu>
  )
}
