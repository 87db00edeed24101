import { Inbox } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Domain } from '#contract/domains.ts'
import { Button } from '#web/ui/form/button.tsx'

const CatchAllDialog = lazy(async () => ({
  default: (await import('./catch-all-dialog.tsx')).CatchAllDialog,
}))

export function CatchAllButton({ domain }: { domain: Domain }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" onClick={() => setIsOpen(true)}>
        <Inbox aria-hidden />
        Catch-all
      </Button>
      <Suspense>
        {isOpen && <CatchAllDialog domain={domain} onClose={() => setIsOpen(false)} />}
      </Suspense>
    </>
  )
}
