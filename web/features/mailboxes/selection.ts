import type { Mailbox } from '#contract/mailboxes.ts'

/**
 * Which mailboxes are selected: all, those that can be paid, or none, but for some. Rows that are not read yet are
 * decided by it too. At first all that can be paid is selected.
 */
export type MailboxSelection = {
  base: 'all' | 'payable' | 'none'
  exceptions: ReadonlySet<string>
}

type Row = Pick<Mailbox, '_id' | 'status'>

const everything: MailboxSelection = { base: 'all', exceptions: new Set() }
export const payable: MailboxSelection = { base: 'payable', exceptions: new Set() }
export const nothing: MailboxSelection = { base: 'none', exceptions: new Set() }

const isPayable = ({ status }: Row): boolean => status === 'inactive'

const isInBase = ({ base }: MailboxSelection, row: Row): boolean =>
  base === 'all' || (base === 'payable' && isPayable(row))

export const isSelected = (selection: MailboxSelection, row: Row): boolean =>
  isInBase(selection, row) !== selection.exceptions.has(row._id)

export type ListedMailboxes = {
  /** The rows that can be seen and ticked. */
  shown: readonly Row[]
  /** Further ones that belong to the list, but whose rows are not read yet. */
  unread?: readonly Row[]
  /** A search leaves mailboxes out: those keep their boxes. */
  isSearch?: boolean
}

/** After the boxes of the rows on the screen have become `ticked`; all or none of them is said of the whole list. */
export function selectionAfter(
  before: MailboxSelection,
  { shown, unread = [], isSearch = false }: ListedMailboxes,
  ticked: ReadonlySet<string>,
): MailboxSelection {
  const isEvery = shown.every(({ _id }) => ticked.has(_id))
  const isNone = ticked.size === 0
  if (!isSearch && (isEvery || isNone)) return isNone ? nothing : everything
  const exceptions = new Set(before.exceptions)
  const decide = (row: Row, isTicked: boolean) => {
    if (isTicked === isInBase(before, row)) exceptions.delete(row._id)
    else exceptions.add(row._id)
  }
  for (const row of shown) decide(row, ticked.has(row._id))
  if (isEvery || isNone) for (const row of unread) decide(row, isEvery)
  return { base: before.base, exceptions }
}

/** After a payment nothing is left selected that cannot be paid; what was not chosen to be paid stays so. */
export const selectionAfterPayment = (
  before: MailboxSelection,
  payable: readonly Row[],
): MailboxSelection => ({
  base: 'payable',
  exceptions: new Set(payable.filter((row) => !isSelected(before, row)).map(({ _id }) => _id)),
})
