import { Send } from 'lucide-react'
import { useState } from 'react'
import type { Domain } from '#contract/domains.ts'
import { Button } from '#web/ui/form/button.tsx'
import { SendLinkDialog } from './send-link-dialog.tsx'

type SendLinkButtonProps = { domain: Domain; size?: 'small' | 'medium' }

export function SendLinkButton({ domain, size }: SendLinkButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" size={size} onClick={() => setIsOpen(true)}>
        <Send aria-hidden />
        Send to your DNS administrator
      </Button>
      {isOpen && <SendLinkDialog domain={domain} onClose={() => setIsOpen(false)} />}
    </>
  )
}
