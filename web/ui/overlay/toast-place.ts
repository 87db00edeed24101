/** Where a toast stands: as near to its corner as it can without lying on what one may press. */

export type Box = { left: number; top: number; width: number; height: number }
export type Size = Pick<Box, 'width' | 'height'>
export type Place = Pick<Box, 'left' | 'top'>

/** Between a toast and the edge of the window, and between it and what one may press. */
const EDGE_PX = 16
const GAP_PX = 6
/** What is larger, a row of a list or a text to write, can be pressed beside a toast that lies on a part of it. */
const LARGE_PX2 = 24_000
/** Worth as many pixels of way to lie on something small, or on the whole of something large. */
const SMALL_COST = 100_000
const LARGE_COST = 1_000

/** The lower right corner, or on a phone the top, in the middle. */
function homeOf({ width, height }: Size, window: Size): Place {
  const isPhone = window.width < 640
  return {
    left: isPhone
      ? Math.round((window.width - width) / 2)
      : Math.max(EDGE_PX, window.width - width - EDGE_PX),
    top: isPhone ? EDGE_PX : Math.max(EDGE_PX, window.height - height - EDGE_PX),
  }
}

/** How much of the second is under the first, from 0 to 1. */
export function shareCovered(above: Box, below: Box): number {
  const over = (from: 'left' | 'top', size: 'width' | 'height') =>
    Math.min(above[from] + above[size], below[from] + below[size]) -
    Math.max(above[from], below[from])
  const [width, height] = [over('left', 'width'), over('top', 'height')]
  return width <= 0 || height <= 0 ? 0 : (width * height) / (below.width * below.height)
}

const costOfLyingOn = (toast: Box, controls: readonly Box[]): number => {
  let cost = 0
  for (const control of controls) {
    const share = shareCovered(toast, control)
    if (share === 0) continue
    const isLarge = control.width * control.height > LARGE_PX2 && share < 0.5
    cost += isLarge ? share * LARGE_COST : SMALL_COST
  }
  return cost
}

/** It may stay: it lies on nothing small, and the window has not become smaller than its place. */
export const isClear = (toast: Box, window: Size, controls: readonly Box[]): boolean =>
  toast.left + toast.width <= window.width &&
  toast.top + toast.height <= window.height &&
  costOfLyingOn(toast, controls) < SMALL_COST

/** `controls` are the boxes of what one may press, as far as they are seen. */
export function clearPlace(size: Size, window: Size, controls: readonly Box[]): Place {
  const home = homeOf(size, window)
  const farthest = { left: window.width - size.width - EDGE_PX, top: window.height - size.height }
  const isInside = ({ left, top }: Place) =>
    left >= 0 && top >= 0 && left <= Math.max(EDGE_PX, farthest.left) && top <= farthest.top
  const lefts = [home.left, EDGE_PX, (window.width - size.width) / 2]
  const tops = [home.top, EDGE_PX, farthest.top - EDGE_PX]
  for (const { left, top, width, height } of controls) {
    lefts.push(left - size.width - GAP_PX, left + width + GAP_PX)
    tops.push(top - size.height - GAP_PX, top + height + GAP_PX)
    // Where all is rows, on the line between two of them.
    tops.push(top + height - size.height / 2)
  }
  const eachOnce = (numbers: number[]) => [...new Set(numbers.map(Math.round))]
  const ways = eachOnce(lefts)
    .flatMap((left) => eachOnce(tops).map((top) => ({ left, top })))
    .filter(isInside)
    .map((place) => ({ place, way: Math.hypot(place.left - home.left, place.top - home.top) }))
    .sort((one, other) => one.way - other.way)
  let best = { place: home, cost: Number.POSITIVE_INFINITY }
  for (const { place, way } of ways) {
    if (way >= best.cost) break
    const cost = way + costOfLyingOn({ ...place, ...size }, controls)
    if (cost < best.cost) best = { place, cost }
  }
  return best.place
}
