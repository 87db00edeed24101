/** Moves the toast away from controls, also when the page below it changes or scrolls. */
import { type RefObject, useLayoutEffect } from 'react'
import { type Box, clearPlace, isClear } from './toast-place.ts'

const ROLES = 'button link menuitem menuitemcheckbox option tab checkbox radio switch combobox'
const CONTROLS = [
  ...['a[href]', 'button', 'input', 'select', 'textarea', 'summary', '[contenteditable=true]'],
  ...ROLES.split(' ').map((role) => `[role=${role}]`),
].join()
/** Scrolling counts as ended after this time. */
const STILL_MS = 120

/** The visible boxes of the controls that can be clicked now: not those behind a dialog or scrolled out of a list. */
function controlsSeen(toasts: Element): Box[] {
  const boxes: Box[] = []
  for (const control of document.querySelectorAll(CONTROLS)) {
    const rect = control.getBoundingClientRect()
    const [left, top] = [Math.max(0, rect.left), Math.max(0, rect.top)]
    const width = Math.min(innerWidth, rect.right) - left
    const height = Math.min(innerHeight, rect.bottom) - top
    if (width <= 1 || height <= 1 || toasts.contains(control)) continue
    const hit = document
      .elementsFromPoint(left + width / 2, top + height / 2)
      .find((each) => !toasts.contains(each) && !each.contains(toasts))
    if (hit && isOf(control, hit)) boxes.push({ left, top, width, height })
  }
  return boxes
}

/** Clicks on a disabled control hit its parent. */
const isOf = (control: Element, hit: Element): boolean =>
  control.contains(hit) ||
  (control.matches(':disabled') && hit.contains(control)) ||
  (hit instanceof HTMLLabelElement && hit.control === control)

const isInUse = (toasts: Element): boolean => toasts.matches(':hover, :focus-within')

function findPlace(toasts: HTMLElement): void {
  const { offsetWidth: width, offsetHeight: height } = toasts
  const { left, top } = toasts.getBoundingClientRect()
  const controls = controlsSeen(toasts)
  const window = { width: document.documentElement.clientWidth, height: innerHeight }
  const isPlaced = toasts.style.top !== ''
  if (isPlaced && isClear({ left, top, width, height }, window, controls)) return
  const place = clearPlace({ width, height }, window, controls)
  Object.assign(toasts.style, {
    ...{ left: `${place.left}px`, top: `${place.top}px` },
    ...{ right: 'auto', bottom: 'auto' },
  })
}

/** While a toast is shown. It stays in place while the pointer is over it or the focus is in it. */
function keepClear(toasts: HTMLElement): () => void {
  const end = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let frame = 0
  const look = () => {
    if (!isInUse(toasts)) findPlace(toasts)
  }
  const lookSoon = () => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(look)
  }
  const lookWhenStill = () => {
    clearTimeout(timer)
    timer = setTimeout(look, STILL_MS)
  }
  const changes = new MutationObserver((all) => {
    if (all.some(({ target }) => !toasts.contains(target))) lookSoon()
  })
  changes.observe(document.body, { subtree: true, childList: true, attributes: true })
  document.addEventListener('scroll', lookWhenStill, { capture: true, signal: end.signal })
  addEventListener('resize', lookSoon, { signal: end.signal })
  findPlace(toasts)
  return () => {
    end.abort()
    changes.disconnect()
    cancelAnimationFrame(frame)
    clearTimeout(timer)
    for (const side of ['left', 'top', 'right', 'bottom'] as const) toasts.style[side] = ''
  }
}

/** `list` contains the toasts as its children. */
export function useClearPlace(list: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const toasts = list.current
    if (!toasts) return
    let shown: Element | null = null
    let stop = () => {}
    const follow = () => {
      const newest = toasts.querySelector(':scope > li')
      if (newest === shown) return
      shown = newest
      stop()
      stop = newest ? keepClear(toasts) : () => {}
    }
    // Runs before the change is painted.
    const arrivals = new MutationObserver(follow)
    arrivals.observe(toasts, { childList: true })
    follow()
    return () => {
      arrivals.disconnect()
      stop()
    }
  }, [list])
}
