/**
 * Computes which rows of equal height are near the viewport. Costs the same for 100 and for 500,000 rows, which a library that
 * measures each row does not. Browsers limit an element to some 33 million pixels: longer lists scroll faster than the pointer.
 */
import { type RefObject, useCallback, useEffect, useEffectEvent, useState } from 'react'

const OVERSCAN = 4
/** After a jump only the visible rows are rendered first; the rows around them follow after this time. */
const OVERSCAN_AFTER_MS = 150
/** Before the first measurement: as high as most windows, without rows outside the viewport. */
const UNMEASURED = { top: 0, height: 1100, overscan: 0 }
const HIGHEST_PX = 30_000_000
/** A walk by keys sees what comes next: so many rows stay in view above and below the focused one. */
const KEPT_ROWS = 2

export type RowsInView = {
  first: number
  last: number
  /** Height of the whole list. */
  heightPx: number
  /** Pixels from the top of the list to the row. */
  topOf: (index: number) => number
  scrollTo: (index: number) => void
}

/** `onRows` gets the rows that are scrolled to before they are rendered, so that distant rows are requested at once. */
export function useRowsInView(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  rowPx: number,
  onRows: (first: number, last: number) => void,
): RowsInView {
  const [view, setView] = useState(UNMEASURED)
  const reportRows = useEffectEvent(({ scrollTop: top, clientHeight: height }: HTMLElement) => {
    const visible = rowsIn({ top, height, overscan: 0 }, count, rowPx)
    onRows(visible.first, visible.last)
  })
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const update = () => setView((before) => viewOf(element, before))
    const onScroll = () => {
      reportRows(element)
      update()
    }
    update()
    const observer = new ResizeObserver(update)
    observer.observe(element)
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', onScroll)
    }
  }, [scroller])
  useEffect(() => {
    if (view.overscan > 0) return
    const timer = setTimeout(
      () => setView((now) => ({ ...now, overscan: OVERSCAN })),
      OVERSCAN_AFTER_MS,
    )
    return () => clearTimeout(timer)
  }, [view.overscan])
  const { first, last, offset, ratio, heightPx } = rowsIn(view, count, rowPx)
  useEffect(() => onRows(first, last), [first, last, onRows])
  const scrollTo = useCallback(
    (index: number) => {
      const element = scroller.current
      if (!element) return
      const shown = { from: element.scrollTop * ratio, height: element.clientHeight }
      const from = fromToShow(index, rowPx, shown)
      if (from !== shown.from) element.scrollTop = from / ratio
      setView((before) => viewOf(element, before))
    },
    [scroller, ratio, rowPx],
  )
  return {
    ...{ first, last, heightPx, scrollTo },
    topOf: (index) => view.top + (index * rowPx - offset),
  }
}

/** Where the view begins so that the row and KEPT_ROWS around it are in it, as far as there is room; in pixels of rows. */
export const fromToShow = (
  index: number,
  rowPx: number,
  { from, height }: { from: number; height: number },
): number => {
  const kept = Math.min(KEPT_ROWS * rowPx, Math.max(0, (height - rowPx) / 2))
  const [top, bottom] = [index * rowPx - kept, (index + 1) * rowPx + kept]
  if (top < from) return top
  return bottom > from + height ? bottom - height : from
}

/** `ratio`: how much faster than the pointer the rows move; 1 unless the list is too high for the browser. */
const rowsIn = ({ top, height, overscan }: typeof UNMEASURED, count: number, rowPx: number) => {
  const wholePx = count * rowPx
  const heightPx = Math.min(wholePx, HIGHEST_PX)
  const scrollRange = Math.max(1, heightPx - height)
  const ratio = Math.max(1, (wholePx - height) / scrollRange)
  const offset = Math.min(top, scrollRange) * ratio
  return {
    first: Math.max(0, Math.min(count - 1, Math.floor(offset / rowPx) - overscan)),
    last: Math.min(count - 1, Math.ceil((offset + height) / rowPx) + overscan),
    ...{ offset, ratio, heightPx },
  }
}

const viewOf = (element: HTMLElement, before: typeof UNMEASURED): typeof UNMEASURED => {
  const { scrollTop: top, clientHeight: height } = element
  const isJump = Math.abs(top - before.top) > height
  return { top, height, overscan: isJump ? 0 : OVERSCAN }
}
