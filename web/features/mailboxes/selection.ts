import type { Mailbox } from '#contract/mailboxes.ts'

/**
 * Which mailboxes are selected: all, the payable ones, or none, except some. Holds for rows that are not loaded yet too.
 * At first all payable mailboxes are selected.
 */
export type MailboxSelection = {
  base: 'all' | 'payable' | 'none'
  exceptions: ReadonlySet<string>
}

type Row = Pick<Mailbox, '_id' | 'status'>

const everything: MailboxSelection = { base: 'all', exceptions: new Set() }
export const payable: MailboxSelection = { base: 'payable', exceptions: new Set() }
export const emptySelection: MailboxSelection = { base: 'none', exceptions: new Set() }

const isPayable = ({ status }: Row): boolean => status === 'inactive'

const isInBase = ({ base }: MailboxSelection, row: Row): boolean =>
  base === 'all' || (base === 'payable' && isPayable(row))

export const isSelected = (selection: MailboxSelection, row: Row): boolean =>
  isInBase(selection, row) !== selection.exceptions.has(row._id)

export type ListedMailboxes = {
  /** The visible rows. */
  shown: readonly Row[]
  /** Further rows of the list that are not loaded yet. */
  unread?: readonly Row[]
  /** true: a search hides mailboxes, and those keep their state. */
  isSearch?: boolean
}

/** The selection after the visible rows were changed to `ticked`. Ticking all or none of them applies to the whole list. */
export function selectionAfter(
  before: MailboxSelection,
  { shown, unread = [], isSearch = false }: ListedMailboxes,
  ticked: ReadonlySet<string>,
): MailboxSelection {
  const isEvery = shown.every(({ _id }) => ticked.has(_id))
  const isNone = ticked.size === 0
  if (!isSearch && (isEvery || isNone)) return isNone ? emptySelection : everything
  const exceptions = new Set(before.exceptions)
  const decide = (row: Row, isTicked: boolean) => {
    if (isTicked === isInBase(before, row)) exceptions.delete(row._id)
    else exceptions.add(row._id)
  }
  for (const row of shown) decide(row, ticked.has(row._id))
  if (isEvery || isNone) for (const row of unread) decide(row, isEvery)
  return { base: before.base, exceptions }
}

/** After a payment emptySelection unpayable stays selected; mailboxes that were not selected stay so. */
export const selectionAfterPayment = (
  before: MailboxSelection,
  payable: readonly Row[],
): MailboxSelection => ({
  base: 'payable',
  exceptions: new Set(payable.filter((row) => !isSelected(before, row)).map(({ _id }) => _id)),
})
