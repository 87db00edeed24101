import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { focusHeadingIfLost } from '#web/ui/overlay/return-focus.ts'
import type { MailList } from './mail-row.ts'
import type { ShowRow } from './message-list.tsx'

/**
 * A row that goes away takes the focus along when it had it, and when its message was open with no list beside it.
 * Whatever takes its place in the list gets the focus then.
 */
export function useKeptFocus(list: MailList, openId: string, showRow: RefObject<ShowRow>): void {
  const at = useRef({ id: '', index: -1 })
  const latest = useRef(list)
  useEffect(() => {
    latest.current = list
  })
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      const id = (target instanceof HTMLElement && target.dataset.row) || ''
      at.current = { id, index: id === '' ? -1 : latest.current.indexOf(id) }
    }
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [])
  const before = useRef({ openId, openIndex: -1 })
  // Before the next message is shown, which would take a focus that is lost.
  useLayoutEffect(() => {
    const last = before.current
    const openIndex = openId === '' ? -1 : list.indexOf(openId)
    const isSameButGone = openIndex < 0 && openId === last.openId
    before.current = { openId, openIndex: isSameButGone ? last.openIndex : openIndex }
    if (document.activeElement !== document.body || list.isPending) return
    const isClosed = openId === '' && last.openId !== ''
    const id = at.current.id || (isClosed ? last.openId : '')
    const here = id === '' ? -1 : list.indexOf(id)
    const index = at.current.id ? at.current.index : last.openIndex
    if (id === '' || (here >= 0 && !isClosed)) return
    focusHeadingIfLost()
    const next = list.at(here >= 0 ? here : Math.max(index, 0)) ?? list.at(list.total - 1)
    if (next) showRow.current(next._id)
  })
}
