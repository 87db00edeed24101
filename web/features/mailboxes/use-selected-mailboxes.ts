import { useMemo, useState } from 'react'
import type { Mailbox } from '#contract/mailboxes.ts'
import type { Selection } from '#web/ui/data/table-model.ts'
import { everything, isSelected, selectionAfter } from './selection.ts'

/** The boxes of the rows on the screen, and which of the unpaid mailboxes, read or not, they choose. */
export function useSelectedMailboxes(
  rows: readonly Mailbox[],
  inactive: readonly Mailbox[] = [],
  isSearch: boolean,
): { selection: Selection; toPay: Mailbox[] } {
  const [chosen, setChosen] = useState(everything)
  const shown = useMemo(() => rows.map((mailbox) => mailbox._id), [rows])
  const selected = useMemo(
    () => new Set(shown.filter((id) => isSelected(chosen, id))),
    [shown, chosen],
  )
  const onChange = (ticked: ReadonlySet<string>) => {
    const unread = inactive.map(({ _id }) => _id).filter((id) => !shown.includes(id))
    setChosen(selectionAfter(chosen, { shown, unread, isSearch }, ticked))
  }
  return {
    selection: { selected, onChange },
    toPay: inactive.filter(({ _id }) => isSelected(chosen, _id)),
  }
}
