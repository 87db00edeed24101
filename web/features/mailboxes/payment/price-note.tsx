import { getInstallation } from '#contract/installation.ts'
import { formatCents, formatRate } from '#contract/money.ts'
import { useApi } from '#web/lib/api/use-api.ts'

/** What mailboxes cost; null where they cost nothing, and until it is known. */
export const usePrice = () =>
  useApi(getInstallation, {}, { staleTime: Number.POSITIVE_INFINITY }).data?.price ?? null

/** Says the price where mailboxes are created; with BILLING=off nothing. */
export function PriceNote() {
  const price = usePrice()
  if (price === null) return null
  const { cents, currency, taxRate, taxName } = price
  return (
    <p className="text-soft text-xs">
      A mailbox costs {formatCents(cents, currency)} for each calendar month
      {taxRate > 0 && `, with ${formatRate(taxRate)} ${taxName}`}. Nothing is due before you pay for
      it.
    </p>
  )
}
