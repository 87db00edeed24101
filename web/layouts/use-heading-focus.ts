import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { useReturnFocus } from '#web/ui/overlay/return-focus.ts'

/**
 * Focuses the main heading after a navigation, so that screen readers announce the page and Tab continues from there. Leaves
 * the first page to the browser.
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

/** For a dialog with links to pages: on closing, the focus goes to the new page; without a navigation back to where it was. */
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
  // A dialog that opens with the page, or a menu opened while the page loaded, keeps the focus.
  if (document.querySelector('[role="dialog"], [role="menu"][data-state="open"]')) return
  const heading = document.querySelector<HTMLElement>('main h1') ?? document.querySelector('main')
  heading?.focus({ preventScroll: true })
}
