import { useState } from 'react'
import { makeRecoveryCodes, RECOVERY_CODES } from '#contract/account/second-factor.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { toastError } from '#web/lib/toast-store.ts'
import { Badge } from '#web/ui/data/badge.tsx'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'

type RecoveryCodesCardProps = { left: number; onCodes: (codes: readonly string[]) => void }

export function RecoveryCodesCard({ left, onCodes }: RecoveryCodesCardProps) {
  const [isAsking, setIsAsking] = useState(false)
  const make = useCall(makeRecoveryCodes, {
    onSuccess: ({ recoveryCodes }) => {
      setIsAsking(false)
      onCodes(recoveryCodes ?? [])
    },
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <Card>
      <CardHeader
        title="Recovery codes"
        description="Each signs you in once when the phone or the passkey is lost. Keep them on paper or in a password manager."
        aside={
          <Button variant="secondary" className="max-sm:w-full" onClick={() => setIsAsking(true)}>
            Make new codes
          </Button>
        }
      />
      <p className="flex flex-wrap items-center gap-3 px-5 pb-5 text-sm">
        <Badge tone={left > 2 ? 'good' : 'warn'}>
          {left} of {RECOVERY_CODES} left
        </Badge>
        {left <= 2 && <span className="text-soft">Make new ones before they run out.</span>}
      </p>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={(isOpen) => !isOpen && !make.isPending && setIsAsking(false)}
        title="Make new recovery codes?"
        description="The codes that you have now end at once. No browser is trusted any more."
        confirmText={make.isPending ? 'Making them...' : 'Make new codes'}
        isDangerous={false}
        isPending={make.isPending}
        onConfirm={() => make.mutate({})}
      />
    </Card>
  )
}
