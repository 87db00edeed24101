import { useState } from 'react'

const DIALOG = '[role=dialog], [role=alertdialog]'

type Opener = { element: HTMLElement | null; isInDialog: boolean }

/** Where the dialog that closed last has led back to. */
let lastPlace: HTMLElement | null = null

/** What has the focus now; for an item of a menu, which is gone in a moment, the button of the menu. */
function openerNow(): Opener {
  const focused = document.activeElement
  const menu = focused?.closest('[role=menu]')
  const button = menu && document.getElementById(menu.getAttribute('aria-labelledby') ?? '')
  const element = button ?? (focused instanceof HTMLElement ? focused : null)
  return { element, isInDialog: Boolean(focused?.closest('[role=dialog]')) }
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
    if (isElsewhere()) return
    // A dialog that took the place of another, as a form does that had to be fetched, leads back to what opened that one.
    const isReplaced = opener?.isInDialog && !opener.element?.isConnected
    const place = isReplaced ? lastPlace : opener?.element
    if (place?.isConnected && place !== document.body) {
      lastPlace = place
      // What took the place of this dialog keeps the focus that it took.
      if (!isInOtherDialog(place)) place.focus({ preventScroll: true })
    }
    // Another dialog that closed with this one may have brought it back already.
    else focusHeadingIfLost()
  }
}

/** Whether somebody went on outside of any dialog while this one was still closing: what they type is meant for there. */
function isElsewhere(): boolean {
  const focused = document.activeElement
  return focused !== null && focused !== document.body && !focused.closest(DIALOG)
}

/** Whether a dialog that this place is not in has the focus. */
function isInOtherDialog(place: HTMLElement): boolean {
  const dialog = document.activeElement?.closest('[role=dialog]')
  return dialog !== undefined && dialog !== null && !dialog.contains(place)
}

/** Where to go on when what had the focus is gone, and nothing has taken its place. */
export function focusHeadingIfLost(): void {
  if (document.activeElement === document.body)
    document.querySelector<HTMLElement>('h1[tabindex]')?.focus({ preventScroll: true })
}
