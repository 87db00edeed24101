import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { MessageSummary } from '#contract/messages.ts'
import { focusHeadingIfLost } from '#web/ui/overlay/return-focus.ts'
import type { ShowRow } from './message-list.tsx'

/**
 * A message that goes away takes the focus along when its row had it, and when it was open with no list beside it.
 * Whatever takes its place in the list gets the focus then.
 */
export function useKeptFocus(
  messages: readonly MessageSummary[],
  openId: string,
  showRow: RefObject<ShowRow>,
): void {
  const at = useRef('')
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      at.current = (target instanceof HTMLElement && target.dataset.message) || ''
    }
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [])
  const before = useRef({ messages, openId, openIndex: -1 })
  // Before the next message is shown, which would take a focus that is lost.
  useLayoutEffect(() => {
    const last = before.current
    const openIndex = messages.findIndex(({ _id }) => _id === openId)
    const isSameButGone = openIndex < 0 && openId === last.openId
    before.current = { messages, openId, openIndex: isSameButGone ? last.openIndex : openIndex }
    if (document.activeElement !== document.body) return
    const isClosed = openId === '' && last.openId !== ''
    const id = at.current || (isClosed ? last.openId : '')
    const here = messages.find(({ _id }) => _id === id)
    const index = at.current
      ? last.messages.findIndex(({ _id }) => _id === at.current)
      : last.openIndex
    if (id === '' || (here && !isClosed)) return
    focusHeadingIfLost()
    const next = here ?? messages[Math.max(index, 0)] ?? messages.at(-1)
    if (next) showRow.current(next._id)
  }, [messages, openId, showRow])
}
