/** The keys of the mail page. Without an open message they walk the list, else they open the neighbour. */
import type { RefObject } from 'react'
import type { Go } from './folders/use-place.ts'
import type { MailList, MailRow } from './list/mail-row.ts'
import type { MailVerbs } from './list/mail-verbs.ts'
import type { ShowRow } from './list/message-list.tsx'
import type { ListSelection } from './list/use-selection.ts'
import type { OpenMessage } from './reader/use-open-message.ts'
import type { Composing } from './use-composing.ts'
import type { AllReaderActions } from './use-reader-actions.ts'
import { useShortcuts } from './use-shortcuts.ts'

type Given = {
  list: MailList
  openId: string
  open: OpenMessage
  go: Go
  reader: AllReaderActions
  /** Of what is selected, else of the row with the focus. */
  verbs: MailVerbs
  selection: ListSelection
  showRow: RefObject<ShowRow>
  searchInput: RefObject<HTMLInputElement | null>
  composing: Composing
  undo: () => void
}

export const focusedRow = (): string | undefined =>
  document.activeElement instanceof HTMLElement
    ? document.activeElement.closest<HTMLElement>('[data-row]')?.dataset.row
    : undefined

/** At once, but alone in the window the message hides the list until it has gone. */
function focusOn({ _id }: MailRow, showRow: RefObject<ShowRow>): void {
  showRow.current(_id)
  if (focusedRow() !== _id) requestAnimationFrame(() => showRow.current(_id))
}

const folderKeys = (go: Go): Record<string, () => void> => {
  const to = (folder: string) => () => go({ folder })
  return {
    'g i': to(''),
    'g d': to('drafts'),
    'g t': to('sent'),
    'g a': to('archive'),
    'g j': to('junk'),
    'g #': to('trash'),
  }
}

export function useMailKeys(given: Given): { move: (step: 1 | -1) => void } {
  const { list, openId, go, reader, verbs, selection, composing, open } = given
  const at = (): { row: MailRow | undefined; index: number } => {
    const id = openId || focusedRow() || ''
    const index = id === '' ? -1 : list.indexOf(id, open.conversation?.threadId)
    return { row: list.at(index), index }
  }
  const move = (step: 1 | -1) => {
    const { index } = at()
    const next = list.at(index < 0 ? 0 : index + step)
    if (!next) return
    if (openId !== '') go({ message: next.opens }, { replace: true })
    given.showRow.current(next._id)
  }
  const moveWithin = (step: 1 | -1) => {
    const items = open.conversation?.items ?? []
    const next = items[items.findIndex(({ _id }) => _id === openId) + step]
    if (next) go({ message: next._id }, { replace: true })
  }
  const onOpen = (act: () => unknown) => () => (openId === '' ? false : act())
  /** The selection goes before the open message, that before the row with the focus. */
  const meant = (name: keyof MailVerbs & keyof AllReaderActions) => () => {
    const doIt = selection.count > 0 || openId === '' ? verbs[name] : reader[name]
    ;(doIt as () => void)()
  }
  /** Arrows scroll the message unless the list has the focus. */
  const inList = (step: 1 | -1) => () => (openId === '' || focusedRow() ? move(step) : false)
  const back = () => {
    if (openId === '') return selection.count > 0 ? selection.clear() : false
    const { row } = at()
    reader.back()
    if (row) focusOn(row, given.showRow)
  }
  const keys = {
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: inList(1),
    ArrowUp: inList(-1),
    n: onOpen(() => moveWithin(1)),
    p: onOpen(() => moveWithin(-1)),
    o: () => {
      const { row } = at()
      return row ? go({ message: row.opens }) : false
    },
    u: back,
    Escape: back,
    x: () => {
      const { row } = at()
      return row ? selection.toggle(row.key) : false
    },
    '* a': selection.selectLoaded,
    '* n': selection.clear,
    c: composing.write,
    '/': () => given.searchInput.current?.focus(),
    '?': reader.showShortcuts,
    r: onOpen(reader.reply),
    a: onOpen(reader.replyAll),
    f: onOpen(reader.forward),
    e: meant('archive'),
    '#': meant('remove'),
    '!': meant('toggleJunk'),
    s: meant('toggleStar'),
    I: meant('markRead'),
    U: meant('markUnread'),
    z: given.undo,
    ...folderKeys(go),
  }
  // Whoever has pressed Reply types already while the form is on its way.
  useShortcuts(composing.isComing ? {} : keys)
  return { move }
}
