import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { IDEMPOTENCY_HEADER, MAILBOX_PRICE_CENTS, pay } from '#contract/billing.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { call } from '#web/lib/api/api.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { readAgain } from '#web/lib/api/use-api.ts'
import { useCan } from '#web/lib/api/use-can.ts'
import { formatCents, formatCount } from '#web/lib/format.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { Button } from '#web/ui/form/button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { Tooltip } from '#web/ui/overlay/tooltip.tsx'

/** Mailboxes per payment. */
const MAX_PER_PAYMENT = 1000
const NAMES_SHOWN = 5
const ADMINS_ONLY = 'Only an Admin of the workspace can pay'

const mailboxesOf = (count: number) =>
  count === 1 ? '1 mailbox' : `${formatCount(count)} mailboxes`

type PayNowProps = { mailboxes: readonly Mailbox[]; onPaid: () => void }

/** Pays for the selected mailboxes that are not paid yet. */
export function PayNow({ mailboxes, onPaid }: PayNowProps) {
  const [isAsking, setIsAsking] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  useFocusPassedOn(button)
  const mayPay = useCan('manage-billing')
  const total = formatCents(mailboxes.length * MAILBOX_PRICE_CENTS)
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
        <ConfirmPayment mailboxes={mailboxes} onPaid={onPaid} onClose={() => setIsAsking(false)} />
      )}
    </>
  )
}

/** After the payment the button and its dialog disappear; keyboard focus moves to the list. */
function useFocusPassedOn(button: RefObject<HTMLButtonElement | null>): void {
  useLayoutEffect(() => {
    const going = button.current
    return () => {
      const hadFocus = document.activeElement !== document.body
      const list = going?.closest('header')?.parentElement?.querySelector('section[tabindex]')
      queueMicrotask(() => {
        const isLost = hadFocus && document.activeElement === document.body
        if (isLost && list instanceof HTMLElement) list.focus()
      })
    }
  }, [button])
}

type ConfirmPaymentProps = PayNowProps & { onClose: () => void }

function ConfirmPayment({ mailboxes, onPaid, onClose }: ConfirmPaymentProps) {
  // Pays what was selected when the dialog opened.
  const [chosen] = useState(mailboxes)
  const payment = usePayment(chosen, () => {
    onPaid()
    onClose()
  })
  const named = chosen.slice(0, NAMES_SHOWN).map((mailbox) => mailbox.email)
  const more = chosen.length - named.length
  const total = formatCents(chosen.length * MAILBOX_PRICE_CENTS)
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && !payment.isPending && onClose()}
      title={`Pay ${total} for ${mailboxesOf(chosen.length)}?`}
      description={
        <>
          An invoice of {total} for this month is made ({formatCents(MAILBOX_PRICE_CENTS)} a
          mailbox), and {chosen.length === 1 ? 'the mailbox becomes' : 'the mailboxes become'}{' '}
          active at once:
          {named.map((email) => (
            <span key={email} className="wrap-anywhere mt-1 block text-ink">
              {email}
            </span>
          ))}
          {more > 0 && <span className="mt-1 block">and {formatCount(more)} more</span>}
        </>
      }
      confirmText={payment.isPending ? 'Paying...' : `Pay ${total}`}
      isDangerous={false}
      isPending={payment.isPending}
      onConfirm={() => payment.mutate()}
    />
  )
}

function usePayment(chosen: readonly Mailbox[], onPaid: () => void) {
  const client = useQueryClient()
  // A retry after a lost answer must not create a second invoice.
  const keys = useRef(new Map<number, string>())
  const keyAt = (index: number) => {
    const key = keys.current.get(index) ?? randomKey()
    keys.current.set(index, key)
    return key
  }
  return useMutation({
    mutationFn: async () => {
      const ids = chosen.map((mailbox) => mailbox._id)
      const numbers: string[] = []
      for (let at = 0; at < ids.length; at += MAX_PER_PAYMENT) {
        const mailboxIds = ids.slice(at, at + MAX_PER_PAYMENT)
        const headers = { [IDEMPOTENCY_HEADER]: keyAt(at) }
        numbers.push((await call(pay, { body: { mailboxIds } }, { headers })).number)
      }
      return numbers
    },
    onSuccess: (numbers) => {
      onPaid()
      toast({
        title: `${mailboxesOf(chosen.length)} activated`,
        description: `${numbers.length === 1 ? 'Invoice' : 'Invoices'} ${numbers.join(', ')}`,
        variant: 'success',
      })
    },
    onError: (error) => toastError(messageOf(error)),
    onSettled: () => readAgain(client, pay),
  })
}

/** `crypto.randomUUID` exists only on https and localhost. */
const randomKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
