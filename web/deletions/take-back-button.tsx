import { Undo2 } from 'lucide-react'
import { restoreDeleted } from '#contract/deletions.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { Button } from '#web/ui/form/button.tsx'

type TakeBackButtonProps = {
  id: string
  name: string
  isAllowed: boolean
  onRestored?: () => void
}

export function TakeBackButton({ id, name, isAllowed, onRestored }: TakeBackButtonProps) {
  const restore = useCall(restoreDeleted, {
    onSuccess: () => {
      onRestored?.()
      toast({ title: 'Taken back', description: `${name} is as it was.`, variant: 'success' })
    },
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <Button
      variant="secondary"
      size="small"
      disabled={!isAllowed}
      isPending={restore.isPending}
      aria-label={`Take it back: ${name}`}
      onClick={() => restore.mutate({ params: { id } })}
    >
      <Undo2 aria-hidden />
      Take it back
    </Button>
  )
}
