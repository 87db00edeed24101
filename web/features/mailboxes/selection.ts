/**
 * Which mailboxes are selected: all but some, or none but some. Rows that are not read yet are
 * decided by it too, and at first everything is selected.
 */
export type MailboxSelection = { isAll: boolean; exceptions: ReadonlySet<string> }

export const everything: MailboxSelection = { isAll: true, exceptions: new Set() }
const nothing: MailboxSelection = { isAll: false, exceptions: new Set() }

export const isSelected = (selection: MailboxSelection, id: string): boolean =>
  selection.isAll !== selection.exceptions.has(id)

/** After the boxes of the rows on the screen have become `ticked`. */
export function selectionAfter(
  before: MailboxSelection,
  shown: readonly string[],
  ticked: ReadonlySet<string>,
): MailboxSelection {
  if (ticked.size === 0) return nothing
  if (shown.every((id) => ticked.has(id))) return everything
  const exceptions = new Set(before.exceptions)
  for (const id of shown)
    if (ticked.has(id) === before.isAll) exceptions.delete(id)
    else exceptions.add(id)
  return { isAll: before.isAll, exceptions }
}
