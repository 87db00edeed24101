import { useRef, useState } from 'react'
import type { Mailbox } from '#contract/mailboxes.ts'
import { formatCents } from '#contract/money.ts'
import { useCan } from '#web/lib/api/use-can.ts'
import { toast } from '#web/lib/toast-store.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Tooltip } from '#web/ui/overlay/tooltip.tsx'
import { useFocusPassedOn } from '#web/ui/use-focus-passed-on.ts'
import { ConfirmPayment } from './confirm-payment.tsx'
import { usePrice } from './price-note.tsx'

const ADMINS_ONLY = 'Only an Admin of the workspace can pay'

type PayNowProps = { mailboxes: readonly Mailbox[]; onPaid: (ids: readonly string[]) => void }

/** Pays for the selected mailboxes that are not paid yet. */
export function PayNow({ mailboxes, onPaid }: PayNowProps) {
  const [isAsking, setIsAsking] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  // After the payment the button and its dialog disappear.
  useFocusPassedOn(button)
  const mayPay = useCan('manage-billing')
  const price = usePrice()
  if (price === null) return null
  const total = formatCents(mailboxes.length * price.cents, price.currency)
  return (
    <>
      <Tooltip text={ADMINS_ONLY} isOff={mayPay} delayMs={0}>
        <Button
          ref={button}
          aria-disabled={!mayPay}
          // Touch screens show no tooltip.
          onClick={() => (mayPay ? setIsAsking(true) : toast({ title: ADMINS_ONLY }))}
        >
          Pay Now ({total})
        </Button>
      </Tooltip>
      {isAsking && (
        <ConfirmPayment {...{ mailboxes, price, onPaid }} onClose={() => setIsAsking(false)} />
      )}
    </>
  )
}
