/**
 * Which mailboxes are selected: all but some, or none but some. Rows that are not read yet are
 * decided by it too, and at first everything is selected.
 */
export type MailboxSelection = { isAll: boolean; exceptions: ReadonlySet<string> }

export const everything: MailboxSelection = { isAll: true, exceptions: new Set() }
const nothing: MailboxSelection = { isAll: false, exceptions: new Set() }

export const isSelected = (selection: MailboxSelection, id: string): boolean =>
  selection.isAll !== selection.exceptions.has(id)

export type ListedMailboxes = {
  /** Ids of the rows that can be seen and ticked. */
  shown: readonly string[]
  /** Further ids that belong to the list, but whose rows are not read yet. */
  unread?: readonly string[]
  /** A search leaves mailboxes out: those keep their boxes. */
  isSearch?: boolean
}

/** After the boxes of the rows on the screen have become `ticked`; all or none of them is said of the whole list. */
export function selectionAfter(
  before: MailboxSelection,
  { shown, unread = [], isSearch = false }: ListedMailboxes,
  ticked: ReadonlySet<string>,
): MailboxSelection {
  const isEvery = shown.every((id) => ticked.has(id))
  const isNone = ticked.size === 0
  if (!isSearch && (isEvery || isNone)) return isNone ? nothing : everything
  const exceptions = new Set(before.exceptions)
  const decide = (id: string, isTicked: boolean) => {
    if (isTicked === before.isAll) exceptions.delete(id)
    else exceptions.add(id)
  }
  for (const id of shown) decide(id, ticked.has(id))
  if (isEvery || isNone) for (const id of unread) decide(id, isEvery)
  return { isAll: before.isAll, exceptions }
}
