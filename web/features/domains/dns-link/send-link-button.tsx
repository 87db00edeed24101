import { Send } from 'lucide-react'
import { useState } from 'react'
import type { Domain } from '#contract/domains.ts'
import { Button } from '#web/ui/form/button.tsx'
import { SendLinkDialog } from './send-link-dialog.tsx'

export function SendLinkButton({ domain }: { domain: Domain }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" onClick={() => setIsOpen(true)}>
        <Send aria-hidden />
        Send to whoever runs your DNS
      </Button>
      {isOpen && <SendLinkDialog domain={domain} onClose={() => setIsOpen(false)} />}
    </>
  )
}
