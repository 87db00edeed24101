import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { useReturnFocus } from '#web/ui/overlay/return-focus.ts'

/**
 * After navigation the focus goes to the main heading, so that screen readers say where one is
 * and the next Tab goes on from there. The first page is left to the browser.
 */
export function useHeadingFocus(): void {
  const { pathname } = useLocation()
  const last = useRef(pathname)
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    scrollTo(0, 0)
    focusHeading()
  }, [pathname])
}

/** For a dialog whose entries lead to other pages: as it closes, the focus goes there; else back to where it was. */
export function useLeaving(isOpen: boolean) {
  const returnFocus = useReturnFocus(isOpen)
  const isLeaving = useRef(false)
  return {
    leave: () => {
      isLeaving.current = true
    },
    onCloseAutoFocus: (event: Event) => {
      if (!isLeaving.current) return returnFocus(event)
      isLeaving.current = false
      event.preventDefault()
      focusHeading()
    },
  }
}

function focusHeading(): void {
  // A dialog that opens with the page, or a menu opened while it was on its way, keeps the focus that it took.
  if (document.querySelector('[role="dialog"], [role="menu"][data-state="open"]')) return
  const heading = document.querySelector<HTMLElement>('main h1') ?? document.querySelector('main')
  heading?.focus({ preventScroll: true })
}
