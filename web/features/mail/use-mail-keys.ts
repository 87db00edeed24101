/** The keys of the mail page. Without an open message they walk the list, else they open the neighbour. */
import type { RefObject } from 'react'
import type { MessageSummary } from '#contract/messages.ts'
import type { ShowRow } from './list/message-list.tsx'
import type { Go } from './place/use-place.ts'
import type { Composing } from './use-composing.ts'
import type { AllReaderActions } from './use-reader-actions.ts'
import { useShortcuts } from './use-shortcuts.ts'

type Given = {
  list: readonly MessageSummary[]
  openId: string
  go: Go
  reader: AllReaderActions
  showRow: RefObject<ShowRow>
  searchInput: RefObject<HTMLInputElement | null>
  composing: Composing
}

const focusedRow = (): string | undefined =>
  document.activeElement instanceof HTMLElement ? document.activeElement.dataset.message : undefined

export function useMailKeys(given: Given): { move: (step: 1 | -1) => void } {
  const { list, openId, go, reader, showRow, searchInput, composing } = given
  const move = (step: 1 | -1) => {
    const from = openId || focusedRow()
    const index = list.findIndex(({ _id }) => _id === from)
    const next = list[index < 0 ? 0 : index + step]
    if (!next) return
    if (openId !== '') go({ message: next._id }, { replace: true })
    showRow.current(next._id)
  }
  const onOpen = (act: () => unknown) => () => (openId === '' ? false : act())
  /** Arrows scroll the message unless the list has the focus. */
  const inList = (step: 1 | -1) => () => (openId === '' || focusedRow() ? move(step) : false)
  const keys = {
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: inList(1),
    ArrowUp: inList(-1),
    Escape: onOpen(() => {
      reader.back()
      requestAnimationFrame(() => showRow.current(openId))
    }),
    c: composing.write,
    '/': () => searchInput.current?.focus(),
    '?': reader.showShortcuts,
    r: onOpen(reader.reply),
    a: onOpen(reader.replyAll),
    f: onOpen(reader.forward),
    e: onOpen(reader.archive),
    '#': onOpen(reader.remove),
    '!': onOpen(reader.toggleJunk),
    s: onOpen(reader.toggleStar),
    u: onOpen(reader.markUnread),
  }
  // Whoever has pressed Reply types already while the form is on its way.
  useShortcuts(composing.request === null ? keys : {})
  return { move }
}
