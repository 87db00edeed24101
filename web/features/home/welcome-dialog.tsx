import { PRODUCT_NAME } from '#web/lib/page-title.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'

type WelcomeDialogProps = { isOpen: boolean; onClose: () => void }

/** Once, after the first verified e-mail. */
export function WelcomeDialog({ isOpen, onClose }: WelcomeDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      title={`Welcome to ${PRODUCT_NAME}`}
      description="Add a domain, publish its records, and create mailboxes for your people. The dashboard shows the next step."
      footer={<Button onClick={onClose}>Lets go</Button>}
    />
  )
}
