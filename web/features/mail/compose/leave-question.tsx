import { Button } from '#web/ui/form/button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import type { useCompose } from './use-compose.ts'

export function LeaveQuestion({ compose }: { compose: ReturnType<typeof useCompose> }) {
  const { leaving, submit } = compose
  return (
    <ConfirmDialog
      isOpen={leaving.isAsking}
      onOpenChange={(isOpen) => !isOpen && leaving.stay()}
      title="Save this message as a draft?"
      description="It has not been sent. A draft waits for you in Drafts."
      cancelText="Keep writing"
      otherWay={
        <Button variant="secondary" onClick={leaving.leave}>
          Discard
        </Button>
      }
      confirmText="Save draft"
      isDangerous={false}
      onConfirm={() => void submit(true)}
    />
  )
}
