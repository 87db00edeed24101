import { Smartphone } from 'lucide-react'
import { useState } from 'react'
import { removeTotp } from '#contract/account/second-factor.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { formatDate, formatMoment } from '#web/lib/format.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { Badge } from '#web/ui/data/badge.tsx'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { AppDialog } from './app-dialog.tsx'

/** `isFirst`: they came with the first factor. */
export type NewCodes = (codes: readonly string[], isFirst: boolean) => void

type AppCardProps = {
  /** null: it is not set up. */
  since: string | null
  /** There is no passkey. */
  isLast: boolean
  onCodes: NewCodes
}

export function AppCard({ since, isLast, onCodes }: AppCardProps) {
  // 'first': there was no factor when the dialog opened.
  const [shown, setShown] = useState<'first' | 'another' | 'remove' | null>(null)
  const remove = useCall(removeTotp, {
    onSuccess: ({ message }) => {
      setShown(null)
      toast({ title: message, variant: 'success' })
    },
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <Card>
      <CardHeader
        title="Authenticator app"
        description="An app on your phone shows a new code every 30 seconds. Signing in asks for it after the password."
        aside={
          <Button
            variant={since === null ? 'primary' : 'secondary'}
            className="max-sm:w-full"
            onClick={() => setShown(since === null && isLast ? 'first' : 'another')}
          >
            <Smartphone aria-hidden />
            {since === null ? 'Set up the app' : 'Set up another app'}
          </Button>
        }
      />
      <div className="flex flex-wrap items-center gap-3 px-5 pb-5 text-sm">
        {since === null ? (
          <Badge>Not set up</Badge>
        ) : (
          <>
            <Badge tone="good">On</Badge>
            <span className="min-w-0 flex-1 text-soft">
              Since <LocalTime at={since} format={formatDate} title={formatMoment} />
            </span>
            <Button variant="quiet" size="small" onClick={() => setShown('remove')}>
              Remove the app
            </Button>
          </>
        )}
      </div>
      {(shown === 'first' || shown === 'another') && (
        <AppDialog
          isFirst={shown === 'first'}
          onDone={(codes) => {
            setShown(null)
            if (codes) onCodes(codes, shown === 'first')
            else toast({ title: 'The authenticator app is set up', variant: 'success' })
          }}
          onClose={() => setShown(null)}
        />
      )}
      <ConfirmDialog
        isOpen={shown === 'remove'}
        onOpenChange={(isOpen) => !isOpen && !remove.isPending && setShown(null)}
        title="Remove the authenticator app?"
        description={
          isLast
            ? 'It is your only second factor. Without it the password alone signs you in, your recovery codes end, and no browser is trusted any more.'
            : 'Signing in asks for a passkey then. No browser is trusted any more.'
        }
        confirmText={remove.isPending ? 'Removing...' : 'Remove the app'}
        isPending={remove.isPending}
        onConfirm={() => remove.mutate({})}
      />
    </Card>
  )
}
