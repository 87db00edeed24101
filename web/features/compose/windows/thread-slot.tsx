/** The place at the end of an open conversation, where a reply to one of its messages is written. */
import { useLayoutEffect, useRef } from 'react'
import { createStore } from '#web/lib/store.ts'
import { useMediaQuery } from '#web/ui/use-media-query.ts'

type Slot = { element: HTMLElement; messageIds: readonly string[] }

let slot: Slot | null = null
const store = createStore()
const change = (next: Slot | null) => {
  slot = next
  store.changed()
}

/** The place for a reply to this message; null while its conversation is not open, and on a phone. */
export const slotFor = (messageId: string | undefined): HTMLElement | null =>
  messageId !== undefined && slot?.messageIds.includes(messageId) ? slot.element : null

/** Pixels from the left edge of the page to the open conversation; null while none is open. */
export const slotLeft = (): number | null => slot?.element.getBoundingClientRect().left ?? null

export const useSlotFor = (messageId: string | undefined): HTMLElement | null =>
  store.use(
    () => slotFor(messageId),
    () => null,
  )

/** On a phone a letter fills the page. */
const HAS_ROOM = '(min-width: 640px)'

export function ThreadSlot({ messageIds }: { messageIds: readonly string[] }) {
  const box = useRef<HTMLDivElement>(null)
  const hasRoom = useMediaQuery(HAS_ROOM)
  const ids = messageIds.join(' ')
  useLayoutEffect(() => {
    const element = box.current
    if (!element || !hasRoom) return
    change({ element, messageIds: ids.split(' ') })
    return () => {
      if (slot?.element === element) change(null)
    }
  }, [ids, hasRoom])
  return <div ref={box} />
}
