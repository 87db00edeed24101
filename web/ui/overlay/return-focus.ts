import { useState } from 'react'

const DIALOG = '[role=dialog], [role=alertdialog]'

type Opener = { element: HTMLElement | null; isInDialog: boolean }

/** The element that the dialog which closed last returned the focus to. */
let lastPlace: HTMLElement | null = null

/** The focused element; for an item of a menu, which disappears, the button of the menu. */
function openerNow(): Opener {
  const focused = document.activeElement
  const menu = focused?.closest('[role=menu]')
  const button = menu && document.getElementById(menu.getAttribute('aria-labelledby') ?? '')
  const element = button ?? (focused instanceof HTMLElement ? focused : null)
  return { element, isInDialog: Boolean(focused?.closest('[role=dialog]')) }
}

/**
 * For `onCloseAutoFocus`: a dialog opened by state has no trigger to return the focus to, so the focus returns to the element
 * that had it, or to the heading of the page when that is gone.
 */
export function useReturnFocus(isOpen: boolean): (event: Event) => void {
  // Read during the render: in an effect the menu that opened the dialog has left the document.
  const [opener, setOpener] = useState(() => (isOpen ? openerNow() : null))
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen)
    // Kept after closing, because the focus returns then.
    if (isOpen) setOpener(openerNow())
  }
  return (event) => {
    event.preventDefault()
    if (isElsewhere()) return
    // A dialog that replaced another one, such as a form that had to be loaded, returns to what opened the first one.
    const isReplaced = opener?.isInDialog && !opener.element?.isConnected
    const place = isReplaced ? lastPlace : opener?.element
    if (place?.isConnected && place !== document.body) {
      lastPlace = place
      // A dialog that replaced this one keeps the focus.
      if (!isInOtherDialog(place)) place.focus({ preventScroll: true })
    }
    // Another dialog that closed at the same time may have returned the focus already.
    else focusHeadingIfLost()
  }
}

/** Whether the user moved the focus outside of all dialogs while this one was closing: it stays there. */
function isElsewhere(): boolean {
  const focused = document.activeElement
  return focused !== null && focused !== document.body && !focused.closest(DIALOG)
}

/** Whether a dialog that does not contain this element has the focus. */
function isInOtherDialog(place: HTMLElement): boolean {
  const dialog = document.activeElement?.closest('[role=dialog]')
  return dialog !== undefined && dialog !== null && !dialog.contains(place)
}

/** Focuses the heading of the page when no element has the focus. */
export function focusHeadingIfLost(): void {
  if (document.activeElement === document.body)
    document.querySelector<HTMLElement>('h1[tabindex]')?.focus({ preventScroll: true })
}
