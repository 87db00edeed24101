import { type RefObject, useLayoutEffect } from 'react'

/** When this part of a page disappears and takes the focus along, the focus moves to the list beside it. */
export function useFocusPassedOn(part: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const going = part.current
    return () => {
      const hadFocus = document.activeElement !== document.body
      const list = listNear(going)
      queueMicrotask(() => {
        if (hadFocus && document.activeElement === document.body) list?.focus()
      })
    }
  }, [part])
}

/** The nearest list that takes the focus. */
const listNear = (part: HTMLElement | null): HTMLElement | null => {
  for (let around = part?.parentElement; around; around = around.parentElement) {
    const list = around.querySelector<HTMLElement>('section[tabindex]')
    if (list !== null) return list
  }
  return null
}
