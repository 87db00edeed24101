/**
 * Which rows of one height are near the window. Costs the same for 100 as for 500,000, which is why it is not a library that
 * measures each row. Browsers draw nothing higher than some 33 million pixels: longer lists scroll faster than the pointer.
 */
import { type RefObject, useCallback, useEffect, useEffectEvent, useState } from 'react'

const OVERSCAN = 4
/** After a jump those that are seen come first. */
const OTHERS_AFTER_MS = 150
/** Before it is known: as high as most windows, and no rows that nobody can see. */
const UNKNOWN = { top: 0, height: 1100, overscan: 0 }
const HIGHEST_PX = 30_000_000

export type RowsInView = {
  first: number
  last: number
  /** Of the whole list. */
  heightPx: number
  /** Where a row stands in it now. */
  topOf: (index: number) => number
  scrollTo: (index: number) => void
}

/** `onRows` hears of the rows that are scrolled to before they are drawn, so that those far away are asked for at once. */
export function useRowsInView(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  rowPx: number,
  onRows: (first: number, last: number) => void,
): RowsInView {
  const [view, setView] = useState(UNKNOWN)
  const tell = useEffectEvent(({ scrollTop: top, clientHeight: height }: HTMLElement) => {
    const seen = rowsIn({ top, height, overscan: 0 }, count, rowPx)
    onRows(seen.first, seen.last)
  })
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const look = () => setView((before) => viewOf(element, before))
    const scrolled = () => {
      tell(element)
      look()
    }
    look()
    const watch = new ResizeObserver(look)
    watch.observe(element)
    element.addEventListener('scroll', scrolled, { passive: true })
    return () => {
      watch.disconnect()
      element.removeEventListener('scroll', scrolled)
    }
  }, [scroller])
  useEffect(() => {
    if (view.overscan > 0) return
    const timer = setTimeout(
      () => setView((now) => ({ ...now, overscan: OVERSCAN })),
      OTHERS_AFTER_MS,
    )
    return () => clearTimeout(timer)
  }, [view.overscan])
  const { first, last, offset, ratio, heightPx } = rowsIn(view, count, rowPx)
  useEffect(() => onRows(first, last), [first, last, onRows])
  const scrollTo = useCallback(
    (index: number) => {
      const element = scroller.current
      if (!element) return
      const [top, bottom] = [index * rowPx, (index + 1) * rowPx]
      const from = element.scrollTop * ratio
      if (top < from) element.scrollTop = top / ratio
      else if (bottom > from + element.clientHeight)
        element.scrollTop = (bottom - element.clientHeight) / ratio
      setView((before) => viewOf(element, before))
    },
    [scroller, ratio, rowPx],
  )
  return {
    ...{ first, last, heightPx, scrollTo },
    topOf: (index) => view.top + (index * rowPx - offset),
  }
}

/** `ratio`: how much faster than the pointer the rows go; 1 but for lists that are too high. */
const rowsIn = ({ top, height, overscan }: typeof UNKNOWN, count: number, rowPx: number) => {
  const wholePx = count * rowPx
  const heightPx = Math.min(wholePx, HIGHEST_PX)
  const way = Math.max(1, heightPx - height)
  const ratio = Math.max(1, (wholePx - height) / way)
  const offset = Math.min(top, way) * ratio
  return {
    first: Math.max(0, Math.min(count - 1, Math.floor(offset / rowPx) - overscan)),
    last: Math.min(count - 1, Math.ceil((offset + height) / rowPx) + overscan),
    ...{ offset, ratio, heightPx },
  }
}

const viewOf = (element: HTMLElement, before: typeof UNKNOWN): typeof UNKNOWN => {
  const { scrollTop: top, clientHeight: height } = element
  const isJump = Math.abs(top - before.top) > height
  return { top, height, overscan: isJump ? 0 : OVERSCAN }
}
