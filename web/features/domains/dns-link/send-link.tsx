/** For members whose DNS another person administers: links that open the records without an account. */

import { Send } from 'lucide-react'
import { useState } from 'react'
import { MAX_LINKED_DOMAINS } from '#contract/dns/links.ts'
import type { Domain } from '#contract/domains.ts'
import { formatCount } from '#web/lib/format.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { useUnsavedChanges } from '#web/ui/overlay/unsaved-changes.tsx'
import { MakeLinkForm } from './link-forms.tsx'
import { OpenLinks } from './open-links.tsx'
import type { Linked } from './use-links.ts'

type SendLinkDialogProps = {
  domains: readonly [Domain, ...Domain[]]
  onClose: () => void
}

export function SendLinkDialog({ domains, onClose }: SendLinkDialogProps) {
  const [isTyping, setIsTyping] = useState(false)
  const [newest, setNewest] = useState<string | null>(null)
  const unsaved = useUnsavedChanges(isTyping, onClose)
  const [first, ...others] = domains
  const linked: Linked = [first._id, ...others.map(({ _id }) => _id)]
  const isTooMany = domains.length > MAX_LINKED_DOMAINS
  const subject =
    others.length === 0
      ? `the records of ${first.unicodeName}`
      : `the records of ${formatCount(domains.length)} domains on one page,`
  return (
    <>
      <Dialog
        isOpen
        onOpenChange={(isOpen) => !isOpen && unsaved.requestClose()}
        size="medium"
        title="Send to your DNS administrator"
        description={`They open a link and see ${subject} and what is found in DNS. They need no account, and see nothing else of your workspace.`}
        footer={
          <Button variant="secondary" onClick={unsaved.requestClose}>
            Done
          </Button>
        }
      >
        <div className="grid gap-6">
          {isTooMany ? (
            <p role="alert" className="text-sm">
              A link opens at most {MAX_LINKED_DOMAINS} domains. Select fewer of them.
            </p>
          ) : (
            <MakeLinkForm linked={linked} onTyping={setIsTyping} onMade={setNewest} />
          )}
          <OpenLinks linked={linked} newest={newest} />
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
      {isOpen && <SendLinkDialog domains={[domain]} onClose={() => setIsOpen(false)} />}
    </>
  )
}
