/** Finds the place of a toast: as near to its corner as possible without covering a control. */

export type Box = { left: number; top: number; width: number; height: number }
export type Size = Pick<Box, 'width' | 'height'>
export type Place = Pick<Box, 'left' | 'top'>

/** Between a toast and the edge of the window, and between a toast and a control. */
const EDGE_PX = 16
const GAP_PX = 6
/** A control larger than this, such as a row of a list or an editor, stays usable beside a toast that covers a part of it. */
const LARGE_PX2 = 24_000
/** Cost, in pixels of distance, of covering a small control, or all of a large one. */
const SMALL_COST = 100_000
const LARGE_COST = 1_000

/** The lower left corner, away from what one writes in; on a phone, where it is as wide, the middle. */
function homeOf({ width, height }: Size, window: Size): Place {
  const isPhone = window.width < 640
  return {
    left: isPhone ? Math.round((window.width - width) / 2) : EDGE_PX,
    top: Math.max(EDGE_PX, window.height - height - EDGE_PX),
  }
}

/** Which part of `below` is covered by `above`, from 0 to 1. */
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

/** Whether the toast may stay: it covers no small control and is inside the window. */
export const isClear = (toast: Box, window: Size, controls: readonly Box[]): boolean =>
  toast.left + toast.width <= window.width &&
  toast.top + toast.height <= window.height &&
  costOfLyingOn(toast, controls) < SMALL_COST

/** `controls`: the visible boxes of the controls. */
export function clearPlace(size: Size, window: Size, controls: readonly Box[]): Place {
  const home = homeOf(size, window)
  const farthest = { left: window.width - size.width - EDGE_PX, top: window.height - size.height }
  const isInside = ({ left, top }: Place) =>
    left >= 0 && top >= 0 && left <= Math.max(EDGE_PX, farthest.left) && top <= farthest.top
  const lefts = [home.left, farthest.left, EDGE_PX, (window.width - size.width) / 2]
  const tops = [home.top, EDGE_PX, farthest.top - EDGE_PX]
  for (const { left, top, width, height } of controls) {
    lefts.push(left - size.width - GAP_PX, left + width + GAP_PX)
    tops.push(top - size.height - GAP_PX, top + height + GAP_PX)
    // On a list of rows: centred on the border between two rows.
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
