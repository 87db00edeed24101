/**
 * A finger on a row: to the right, to the left, or held still. The list scrolls as before, because a movement that begins up or
 * down is none of these. The mouse and the pen drag rows instead.
 */
import { type MouseEvent, type TouchEvent, useEffect, useRef, useState } from 'react'

/** From here on a movement is a swipe, or scrolling. */
const BEGINS_PX = 12
/** From here on letting go acts. */
const ACTS_PX = 88
const HOLD_MS = 500

type SwipeActions = { onRight: () => void; onLeft: () => void; onHold: () => void }
type Touch = {
  x: number
  y: number
  timer: ReturnType<typeof setTimeout>
  /** How far a swipe has come; null: it is none yet. Newer than what is drawn. */
  across: number | null
}

export type SwipeWay = 'right' | 'left' | null

/** What letting go would do. */
export const wayOf = (dx: number): SwipeWay =>
  Math.abs(dx) < ACTS_PX ? null : dx > 0 ? 'right' : 'left'

export function useSwipe(actions: SwipeActions) {
  const [dx, setDx] = useState(0)
  const touch = useRef<Touch | null>(null)
  /** The click that follows a swipe or a hold opens nothing. */
  const isSpent = useRef(false)
  const end = () => {
    if (touch.current) clearTimeout(touch.current.timer)
    touch.current = null
    setDx(0)
  }
  useEffect(() => () => clearTimeout(touch.current?.timer), [])
  const handlers = {
    onTouchStart: ({ touches }: TouchEvent) => {
      end()
      isSpent.current = false
      const finger = touches[0]
      if (!finger || touches.length > 1) return
      const hold = () => {
        isSpent.current = true
        touch.current = null
        actions.onHold()
      }
      const timer = setTimeout(hold, HOLD_MS)
      touch.current = { x: finger.clientX, y: finger.clientY, timer, across: null }
    },
    onTouchMove: ({ touches }: TouchEvent) => {
      const finger = touches[0]
      const began = touch.current
      if (!finger || !began) return
      const [across, along] = [finger.clientX - began.x, finger.clientY - began.y]
      if (began.across === null && Math.abs(along) > BEGINS_PX) return end()
      if (began.across === null && Math.abs(across) < BEGINS_PX) return
      clearTimeout(began.timer)
      began.across = across
      isSpent.current = true
      setDx(across)
    },
    onTouchEnd: () => {
      const way = wayOf(touch.current?.across ?? 0)
      end()
      if (way === 'right') actions.onRight()
      if (way === 'left') actions.onLeft()
    },
    onTouchCancel: end,
    onClickCapture: (event: MouseEvent) => {
      if (!isSpent.current) return
      isSpent.current = false
      event.preventDefault()
      event.stopPropagation()
    },
    // The menu of a link, which a long press opens.
    onContextMenu: (event: MouseEvent) => {
      if (touch.current || isSpent.current) event.preventDefault()
    },
  }
  return { dx, handlers }
}
