import { FoldVertical, UnfoldVertical } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from './form/button.tsx'
import { Tooltip } from './overlay/tooltip.tsx'

/** What stands above an open list: the page's header, the list's own on a phone, and some air. */
const SCREEN = 'calc(100dvh - 11rem)'
/** Fewer rows fit without it. */
const MANY_ROWS = 6

/**
 * A list with a height of its own that a button opens to the height of the screen; never lower than before. Its card stands
 * below the page's header then (`-scroll-mt-6`).
 */
export function useListHeight(height: string, rowCount: number) {
  const card = useRef<HTMLDivElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    if (isOpen) card.current?.scrollIntoView({ block: 'start' })
  }, [isOpen])
  const button = (isOpen || rowCount >= MANY_ROWS) && (
    <Tooltip text={isOpen ? 'Make the list shorter' : 'Open the list to the height of the screen'}>
      <Button
        variant="quiet"
        size="icon"
        aria-label="Full height"
        aria-pressed={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        {isOpen ? <FoldVertical aria-hidden /> : <UnfoldVertical aria-hidden />}
      </Button>
    </Tooltip>
  )
  return { card, button, height: isOpen ? `max(${height}, ${SCREEN})` : height }
}
