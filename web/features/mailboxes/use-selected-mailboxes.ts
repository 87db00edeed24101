import { useMemo, useState } from 'react'
import type { Mailbox } from '#contract/mailboxes.ts'
import type { Selection } from '#web/ui/data/table-model.ts'
import {
  emptySelection,
  isSelected,
  type MailboxSelection,
  payable,
  selectionAfter,
  selectionAfterPayment,
} from './selection.ts'

/** `narrowedTo`: what the list is narrowed to, null: nothing. `isWhole`: all of it is read. */
type List = { narrowedTo: string | null; isWhole: boolean }

/** The checkboxes of the visible rows, and which unpaid mailboxes, loaded or not, are selected. */
export function useSelectedMailboxes(
  rows: readonly Mailbox[],
  inactive: readonly Mailbox[] = [],
  { narrowedTo, isWhole }: List,
  canPay: boolean,
) {
  const [changed, setChosen] = useState<MailboxSelection | null>(null)
  /** All of this narrowed list were ticked while a part of it was read. */
  const [allOf, setAllOf] = useState<string | null>(null)
  const chosen = changed ?? (canPay ? payable : emptySelection)
  const isAll = allOf !== null && allOf === narrowedTo
  const isSearch = narrowedTo !== null
  if (isAll && isWhole) {
    setAllOf(null)
    setChosen(selectionAfter(chosen, { shown: rows, isSearch }, idsOf(rows)))
  }
  const selected = useMemo(
    () => idsOf(rows.filter((row) => isAll || isSelected(chosen, row))),
    [rows, chosen, isAll],
  )
  const onChange = (ticked: ReadonlySet<string>) => {
    const shown = idsOf(rows)
    const unread = inactive.filter(({ _id }) => !shown.has(_id))
    setAllOf(!isWhole && ticked.size === rows.length ? narrowedTo : null)
    setChosen(selectionAfter(chosen, { shown: rows, unread, isSearch }, ticked))
  }
  const selection: Selection = { selected, onChange }
  return {
    selection,
    /** The reader selected rows; until then those to be paid are selected. */
    isOwn: changed !== null,
    clear: () => {
      setAllOf(null)
      setChosen(emptySelection)
    },
    toPay: inactive.filter((mailbox) => isSelected(chosen, mailbox)),
    onPaid: () => setChosen(selectionAfterPayment(chosen, inactive)),
  }
}

const idsOf = (rows: readonly Mailbox[]): ReadonlySet<string> => new Set(rows.map(({ _id }) => _id))
