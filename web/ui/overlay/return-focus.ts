import { useState } from 'react'

/** What has the focus now; for an item of a menu, which is gone in a moment, the button of the menu. */
function openerNow(): HTMLElement | null {
  const focused = document.activeElement
  const menu = focused?.closest('[role=menu]')
  const button = menu && document.getElementById(menu.getAttribute('aria-labelledby') ?? '')
  return button ?? (focused instanceof HTMLElement ? focused : null)
}

/**
 * For `onCloseAutoFocus`: a dialog that is opened by state has no trigger to return the focus to,
 * so it goes back to whatever had it, or to the heading of the page when that is gone.
 */
export function useReturnFocus(isOpen: boolean): (event: Event) => void {
  // Read while rendering: in an effect the menu that opened the dialog has left the document.
  const [opener, setOpener] = useState(() => (isOpen ? openerNow() : null))
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen)
    // Kept while it closes: only then it is asked for.
    if (isOpen) setOpener(openerNow())
  }
  return (event) => {
    event.preventDefault()
    if (opener?.isConnected && opener !== document.body) opener.focus({ preventScroll: true })
    // Another dialog that closed with this one may have brought it back already.
    else if (document.activeElement === document.body)
      document.querySelector<HTMLElement>('h1[tabindex]')?.focus({ preventScroll: true })
  }
}
