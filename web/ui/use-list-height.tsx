import { FoldVertical, UnfoldVertical } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from './form/button.tsx'

/** Height of the card of an enlarged list: the screen without the page's header and a margin. */
const SCREEN = 'calc(100dvh - 6.5rem)'
/** A list with fewer rows needs no button. */
const MANY_ROWS = 6

/**
 * The height of a list, with a button that enlarges its card to the height of the screen; this browser remembers it by `name`.
 * What stands above the rows keeps its height, and the rows take the rest. The card scrolls below the page's header
 * (`-scroll-mt-6`).
 */
export function useListHeight(name: string, height: string, rowCount: number) {
  const card = useRef<HTMLDivElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const key = `list-height:${name}`
  useEffect(() => setIsOpen(isKept(key)), [key])
  const toggle = () => {
    setIsOpen(!isOpen)
    keep(key, !isOpen)
    // After the card has its new height.
    if (!isOpen) requestAnimationFrame(() => card.current?.scrollIntoView({ block: 'start' }))
  }
  const button = (isOpen || rowCount >= MANY_ROWS) && (
    <Button variant="quiet" size="small" className="h-9" aria-pressed={isOpen} onClick={toggle}>
      {isOpen ? <FoldVertical aria-hidden /> : <UnfoldVertical aria-hidden />}
      <span className="max-sm:sr-only">Show more rows</span>
    </Button>
  )
  return {
    card,
    button,
    /** Of the card. */
    style: isOpen ? ({ display: 'flex', flexDirection: 'column', height: SCREEN } as const) : {},
    /** Of the rows. */
    bodyHeight: isOpen ? undefined : height,
    bodyClass: isOpen ? 'min-h-0 flex-1' : '',
  }
}

const isKept = (key: string): boolean => {
  try {
    return localStorage.getItem(key) === 'open'
  } catch {
    return false
  }
}

/** Without storage the list opens again at its usual height. */
const keep = (key: string, isOpen: boolean): void => {
  try {
    if (isOpen) localStorage.setItem(key, 'open')
    else localStorage.removeItem(key)
  } catch {}
}
