/** What the shell lends a page whose own bar stands in place of the shell's on a phone (decision 069). */
import { createContext, type ReactNode } from 'react'

export type ShellParts = {
  accountMenu: ReactNode
  /** Opens the menu of pages; null for holders, whose pages the mail leads to by itself. */
  openMenu: (() => void) | null
  openPalette: () => void
}

export const ShellPartsContext = createContext<ShellParts>({
  accountMenu: null,
  openMenu: null,
  openPalette: () => {},
})

/** Element that the link 'Skip to messages' leads to. */
export const MESSAGES_ID = 'messages'
