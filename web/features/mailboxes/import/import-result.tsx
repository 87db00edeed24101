import { CircleCheck } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { ListedMailbox } from '#contract/mailboxes.ts'
import { formatCents } from '#contract/money.ts'
import { useCan } from '#web/lib/api/use-can.ts'
import { formatCount } from '#web/lib/format.ts'
import { DataTable } from '#web/ui/data/data-table.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { ConfirmPayment } from '../payment/confirm-payment.tsx'
import { usePrice } from '../payment/price-note.tsx'
import { importColumns } from './import-columns.tsx'
import type { CheckedRow } from './private-fault.ts'
import { mailboxesOf } from './result-rows.ts'

/** What the new mailboxes still need: payment, then access for their people. */
export function useNext(answer: readonly CheckedRow[], hasBilling: boolean) {
  const [isPaid, setIsPaid] = useState(!hasBilling)
  const [isSettingUp, setIsSettingUp] = useState(false)
  const price = usePrice()
  const [mayPay, maySetUp] = [useCan('manage-billing'), useCan('set-up-access')]
  const made = useMemo(() => mailboxesOf(answer, isPaid ? 'active' : 'inactive'), [answer, isPaid])
  const canPay = !isPaid && mayPay && price !== null
  const setUp = maySetUp ? ('set-up' as const) : null
  return {
    made,
    price,
    isPaid,
    isSettingUp,
    step: made.length === 0 ? null : canPay ? ('pay' as const) : setUp,
    onPaid: () => setIsPaid(true),
    onSetUp: () => setIsSettingUp(true),
  }
}

type Next = ReturnType<typeof useNext>

/** The main button: what comes next, for all that were made. */
export function NextStep({ made, price, step, onPaid, onSetUp }: Next) {
  const [isAsking, setIsAsking] = useState(false)
  if (step === 'set-up') return <Button onClick={onSetUp}>Set up access</Button>
  if (step === null || price === null) return null
  return (
    <>
      <Button onClick={() => setIsAsking(true)}>
        Pay Now ({formatCents(made.length * price.cents, price.currency)})
      </Button>
      {isAsking && (
        <ConfirmPayment
          {...{ mailboxes: made, price, onPaid }}
          from="this import"
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  )
}

type ImportResultProps = { answer: CheckedRow[]; next: Next }

export function ImportResult({ answer, next }: ImportResultProps) {
  const kept = answer.filter(({ id, privateEmail }) => id !== null && privateEmail !== '').length
  const columns = useMemo(() => importColumns(answer), [answer])
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {next.made.length > 0 && (
        <div className="flex items-start gap-3 rounded-card border border-accent/40 bg-accent-wash/50 p-4">
          <CircleCheck className="mt-0.5 size-5 shrink-0 text-good" aria-hidden />
          <p role="status" className="text-sm">
            {wordsOf(next, next.made)}
            {kept > 0 && ` ${keptWords(kept)}`}
          </p>
        </div>
      )}
      <DataTable
        label="Result"
        rows={answer}
        columns={columns}
        getRowId={({ row }) => String(row)}
        bodyMaxHeight="20rem"
        empty={<p className="px-5 py-8 text-center text-soft text-sm">No row was imported.</p>}
      />
    </div>
  )
}

const keptWords = (kept: number): string =>
  kept === 1
    ? '1 private address is kept for its access link while this tab is open.'
    : `${formatCount(kept)} private addresses are kept for the access links while this tab is open.`

function wordsOf({ step, isPaid }: Next, made: readonly ListedMailbox[]): string {
  const [are, their] =
    made.length === 1
      ? ['The new mailbox is', 'its person']
      : [`The ${formatCount(made.length)} new mailboxes are`, 'their people']
  if (step === 'pay') return `${are} not active yet. Next: pay, then set up access for ${their}.`
  if (!isPaid)
    return `${are} not active yet: an Admin of the workspace pays on the Mailboxes page. Access can be set up now.`
  return step === 'set-up'
    ? `${are} active. Next: set up access, so that ${their} can sign in.`
    : `${are} active.`
}
