import { useQueryClient } from '@tanstack/react-query'
import { MailQuestion } from 'lucide-react'
import { editProfile, getProfile } from '#contract/profile.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { keyOf, useCall } from '#web/lib/api/use-api.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { Button } from '#web/ui/form/button.tsx'

/** A change of the e-mail that waits for its link to be opened. */
export function PendingEmail({ email, to }: { email: string; to: string }) {
  const client = useQueryClient()
  const withdraw = useCall(editProfile, {
    onSuccess: (profile) => {
      client.setQueryData(keyOf(getProfile, {}), profile)
      toast({ title: 'Your email stays as it is', description: email, variant: 'success' })
    },
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-xl bg-accent-wash px-3.5 py-3 text-sm"
    >
      <MailQuestion className="size-4 shrink-0 text-accent-ink" aria-hidden />
      <p className="min-w-0 flex-1 basis-56">
        Open the link that we sent to <strong className="wrap-anywhere font-medium">{to}</strong> to
        make it your email.
      </p>
      <Button
        variant="secondary"
        size="small"
        isPending={withdraw.isPending}
        onClick={() => withdraw.mutate({ body: { email } })}
      >
        Keep the old one
      </Button>
    </div>
  )
}
