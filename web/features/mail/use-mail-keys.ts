/** The keys of the mail page. They move through the list, or between messages when one is open. */
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

type MailKeyOptions = {
  list: MailList
  openId: string
  open: OpenMessage
  go: Go
  reader: AllReaderActions
  /** Actions on the selection, or else on the row with the focus. */
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

const focusedLink = () => document.activeElement?.closest('a[data-message]')

const readingPane = () => document.querySelector<HTMLElement>('[data-whole-room] article')

/** From the row of the open message. Its link would open it once more. */
const enterPane = (): unknown =>
  focusedLink()?.ariaCurrent === 'true' ? readingPane()?.focus() : false

const openRow = (row: MailRow | undefined, go: Go): unknown =>
  row && enterPane() === false ? go({ message: row.opens }) : false

/** From a row: the browser would scroll the list. */
const scrollPane = ({ shiftKey }: KeyboardEvent): unknown => {
  const pane = focusedLink() && readingPane()
  return pane ? pane.scrollBy({ top: (shiftKey ? -0.9 : 0.9) * pane.clientHeight }) : false
}

/** Tries at once, and again in the next frame: in a narrow window the open message hides the list until it has closed. */
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

export function useMailKeys(options: MailKeyOptions): { move: (step: 1 | -1) => void } {
  const { list, openId, go, reader, verbs, selection, composing, open } = options
  const currentRow = (): { row: MailRow | undefined; index: number } => {
    const id = openId || focusedRow() || ''
    const index = id === '' ? -1 : list.indexOf(id, open.conversation?.threadId)
    return { row: list.at(index), index }
  }
  const move = (step: 1 | -1) => {
    const { index } = currentRow()
    const next = list.at(index < 0 ? 0 : index + step)
    if (!next) return
    if (openId !== '') go({ message: next.opens }, { replace: true })
    options.showRow.current(next._id)
  }
  const moveWithin = (step: 1 | -1) => {
    const items = open.conversation?.items ?? []
    const next = items[items.findIndex(({ _id }) => _id === openId) + step]
    if (next) go({ message: next._id }, { replace: true })
  }
  const onOpen = (act: () => unknown) => () => (openId === '' ? false : act())
  /** Acts on the selection; without one on the open message; without that on the row with the focus. */
  const onTarget = (name: keyof MailVerbs & keyof AllReaderActions) => () => {
    const run = selection.count > 0 || openId === '' ? verbs[name] : reader[name]
    ;(run as () => void)()
  }
  /** Arrow keys scroll the open message unless the list has the focus. */
  const inList = (step: 1 | -1) => () => (openId === '' || focusedRow() ? move(step) : false)
  const back = () => {
    if (openId === '') return selection.count > 0 ? selection.clear() : false
    const { row } = currentRow()
    reader.back()
    if (row) focusOn(row, options.showRow)
  }
  const keys = {
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: inList(1),
    ArrowUp: inList(-1),
    n: onOpen(() => moveWithin(1)),
    p: onOpen(() => moveWithin(-1)),
    o: () => openRow(currentRow().row, go),
    Enter: enterPane,
    ' ': scrollPane,
    u: back,
    Escape: back,
    x: () => {
      const { row } = currentRow()
      return row ? selection.toggle(row.key) : false
    },
    '* a': selection.selectLoaded,
    '* n': selection.clear,
    c: composing.write,
    '/': () => options.searchInput.current?.focus(),
    '?': reader.showShortcuts,
    r: onOpen(reader.reply),
    a: onOpen(reader.replyAll),
    f: onOpen(reader.forward),
    e: onTarget('archive'),
    '#': onTarget('remove'),
    '!': onTarget('toggleJunk'),
    s: onTarget('toggleStar'),
    v: onTarget('move'),
    I: onTarget('markRead'),
    U: onTarget('markUnread'),
    z: options.undo,
    ...folderKeys(go),
  }
  // A writer who pressed Reply types already while the form is loading.
  useShortcuts(composing.isLoading ? {} : keys)
  return { move }
}
