import { useMemo, useState } from 'react'
import type { Mailbox } from '#contract/mailboxes.ts'
import type { Selection } from '#web/ui/data/table-model.ts'
import {
  isSelected,
  type MailboxSelection,
  nothing,
  payable,
  selectionAfter,
  selectionAfterPayment,
} from './selection.ts'

/** The boxes of the rows on the screen, and which of the unpaid mailboxes, read or not, they choose. */
export function useSelectedMailboxes(
  rows: readonly Mailbox[],
  inactive: readonly Mailbox[] = [],
  isSearch: boolean,
  canPay: boolean,
): { selection: Selection; toPay: Mailbox[]; onPaid: () => void } {
  const [changed, setChosen] = useState<MailboxSelection | null>(null)
  const chosen = changed ?? (canPay ? payable : nothing)
  const selected = useMemo(
    () => new Set(rows.filter((row) => isSelected(chosen, row)).map(({ _id }) => _id)),
    [rows, chosen],
  )
  const onChange = (ticked: ReadonlySet<string>) => {
    const shown = new Set(rows.map(({ _id }) => _id))
    const unread = inactive.filter(({ _id }) => !shown.has(_id))
    setChosen(selectionAfter(chosen, { shown: rows, unread, isSearch }, ticked))
  }
  return {
    selection: { selected, onChange },
    toPay: inactive.filter((mailbox) => isSelected(chosen, mailbox)),
    onPaid: () => setChosen(selectionAfterPayment(chosen, inactive)),
  }
}
