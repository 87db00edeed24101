/** For members whose DNS another person administers: links that open the records without an account. */

import { Send } from 'lucide-react'
import { useState } from 'react'
import type { Domain } from '#contract/domains.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'
import { MakeLinkForm } from './link-forms.tsx'
import { OpenLinks } from './open-links.tsx'

type SendLinkDialogProps = { domain: Domain; onClose: () => void }

export function SendLinkDialog({ domain, onClose }: SendLinkDialogProps) {
  const [isTyping, setIsTyping] = useState(false)
  const [newest, setNewest] = useState<string | null>(null)
  const unsaved = useUnsavedChanges(isTyping, onClose)
  return (
    <>
      <Dialog
        isOpen
        onOpenChange={(isOpen) => !isOpen && unsaved.requestClose()}
        size="medium"
        title="Send to your DNS administrator"
        description={`They open a link and see the records of ${domain.unicodeName} and what is found in DNS. They need no account, and see nothing else of your workspace.`}
        footer={
          <Button variant="secondary" onClick={unsaved.requestClose}>
            Done
          </Button>
        }
      >
        <div className="grid gap-6">
          <MakeLinkForm domainId={domain._id} onTyping={setIsTyping} onMade={setNewest} />
          <OpenLinks domainId={domain._id} newest={newest} />
        </div>
      </Dialog>
      {unsaved.question}
    </>
  )
}

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
