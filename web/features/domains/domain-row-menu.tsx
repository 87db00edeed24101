import { EllipsisVertical, FolderInput } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { Domain } from '#contract/domains.ts'
import { useCan } from '#web/lib/api/use-can.ts'
import { lazyPart } from '#web/lib/fetch-part.ts'
import { Button } from '#web/ui/form/button.tsx'
import { DropdownMenu, MenuItem } from '#web/ui/overlay/dropdown-menu.tsx'

const MoveDialog = lazyPart(async () => (await import('./move-dialog.tsx')).MoveDialog)

/** One item, as the specification has it: a domain is deleted on its own page. */
export function DomainRowMenu({ domain }: { domain: Domain }) {
  const [isMoving, setIsMoving] = useState(false)
  const canMove = useCan('move-domains')
  return (
    <>
      <DropdownMenu
        trigger={
          <Button variant="quiet" size="iconSmall" aria-label={`Actions for ${domain.unicodeName}`}>
            <EllipsisVertical aria-hidden />
          </Button>
        }
      >
        <MenuItem disabled={!canMove} onSelect={() => setIsMoving(true)}>
          <FolderInput aria-hidden />
          Add to workspace
        </MenuItem>
      </DropdownMenu>
      <Suspense>
        {isMoving && <MoveDialog domain={domain} onClose={() => setIsMoving(false)} />}
      </Suspense>
    </>
  )
}
