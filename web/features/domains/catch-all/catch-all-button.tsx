import { Inbox } from 'lucide-react'
import { useState } from 'react'
import type { Domain } from '#contract/domains.ts'
import { Button } from '#web/ui/form/button.tsx'
import { CatchAllDialog } from './catch-all-dialog.tsx'

export function CatchAllButton({ domain }: { domain: Domain }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" onClick={() => setIsOpen(true)}>
        <Inbox aria-hidden />
        Catch-all
      </Button>
      {isOpen && <CatchAllDialog domain={domain} onClose={() => setIsOpen(false)} />}
    </>
  )
}
