/** Whether the sidebar is wide or a rail of icons; kept in a cookie for a week. Until then it is a rail for holders alone (decision 069). */
import { useContext, useEffect, useState } from 'react'
import { PageRequestContext } from '#web/lib/api/first-view.ts'
import { useHolder } from '#web/lib/api/use-can.ts'
import { useIsMobile } from '#web/ui/use-media-query.ts'

const COOKIE = 'sidebar:state'
const MAX_AGE_SECONDS = 604_800

export const isWideIn = (cookies: string, isHolder: boolean): boolean => {
  const kept = cookies.split('; ').find((cookie) => cookie.startsWith(`${COOKIE}=`))
  return kept === undefined ? !isHolder : kept !== `${COOKIE}=false`
}

function remember(isWide: boolean): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we support
  document.cookie = `${COOKIE}=${isWide}; Path=/; Max-Age=${MAX_AGE_SECONDS}; SameSite=Lax`
}

export type SidebarState = {
  isWide: boolean
  isMobile: boolean
  /** On a phone the sidebar is a sheet above the page. */
  isSheetOpen: boolean
  closeSheet: () => void
  toggle: () => void
}

export function useSidebarState(): SidebarState {
  const isMobile = useIsMobile()
  const request = useContext(PageRequestContext)
  const isHolder = useHolder() !== null
  const [isWide, setIsWide] = useState(() =>
    isWideIn(request?.cookies ?? document.cookie, isHolder),
  )
  const [isSheetOpen, setIsSheetOpen] = useState(false)
  const toggle = () => {
    if (isMobile) return setIsSheetOpen(!isSheetOpen)
    setIsWide(!isWide)
    remember(!isWide)
  }
  useShortcut('b', toggle)
  return { isWide, isMobile, isSheetOpen, closeSheet: () => setIsSheetOpen(false), toggle }
}

/** A shortcut of Ctrl or Cmd with a letter. Ignores handled events and the editor, where Ctrl+B makes text bold. */
export function useShortcut(letter: string, act: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const isPressed = event.key.toLowerCase() === letter && (event.ctrlKey || event.metaKey)
      const isInEditor = event.target instanceof HTMLElement && event.target.isContentEditable
      if (!isPressed || event.shiftKey || event.altKey || event.defaultPrevented) return
      if (letter === 'b' && isInEditor) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  })
}
