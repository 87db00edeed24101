import { listSendingStops, resumeSending, type SendingStop } from '#contract/mail/sending.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { useMay } from '#web/lib/api/use-can.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'

type ResumeDialogProps = { mailbox: Mailbox; stop: SendingStop; onClose: () => void }

/** Says what happened before sending is resumed. */
export function ResumeDialog({ mailbox, stop, onClose }: ResumeDialogProps) {
  const resume = useCall(resumeSending, {
    onSuccess: () => {
      onClose()
      toast({
        title: 'Sending resumed',
        description: `Messages that waited in ${mailbox.email} are sent now.`,
        variant: 'success',
      })
    },
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && !resume.isPending && onClose()}
      title={`Resume sending from ${mailbox.email}?`}
      description={
        <>
          Other servers refused {stop.failed} of {stop.ended} deliveries for good.
          <span className="wrap-anywhere mt-2 block text-ink">“{stop.example}”</span>
          <span className="mt-2 block">
            Make sure that its user wrote these messages, and has removed addresses that do not
            exist. Waiting messages are sent at once.
          </span>
        </>
      }
      confirmText={resume.isPending ? 'Resuming...' : 'Resume sending'}
      isDangerous={false}
      isPending={resume.isPending}
      onConfirm={() => resume.mutate({ params: { id: mailbox._id } })}
    />
  )
}

/** What stopped the sending of a mailbox; all rows share one request. */
export function useSendingStop(mailboxId: string): SendingStop | undefined {
  const maySee = useMay('see-mailboxes')
  const { data } = useApi(listSendingStops, {}, { enabled: maySee })
  return data?.find((stop) => stop.mailboxId === mailboxId)
}
