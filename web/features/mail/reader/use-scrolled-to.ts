import { type RefObject, useLayoutEffect } from 'react'

/** The end of the line above stays in view: it says that there is something above. */
const ABOVE_PX = 40

/** Scrolls the pane to the target once, as soon as what stands below it is high enough, unless the reader acts first. */
export function useScrolledTo(
  target: RefObject<HTMLElement | null>,
  pane: RefObject<HTMLElement | null>,
  isOn: boolean,
): void {
  useLayoutEffect(() => {
    if (isOn && target.current && pane.current) return scrollTo(target.current, pane.current)
  }, [isOn, target, pane])
}

function scrollTo(target: HTMLElement, pane: HTMLElement): () => void {
  const stopped = new AbortController()
  const stop = () => stopped.abort()
  let at = pane.scrollTop
  const scroll = () => {
    if (Math.abs(pane.scrollTop - at) > 1) return stop()
    const distance = target.getBoundingClientRect().top - pane.getBoundingClientRect().top
    const wanted = pane.scrollTop + distance - ABOVE_PX
    pane.scrollTop = wanted
    at = pane.scrollTop
    if (at > wanted - 1) stop()
  }
  const growth = new ResizeObserver(scroll)
  stopped.signal.addEventListener('abort', () => growth.disconnect())
  for (const part of pane.children) growth.observe(part)
  for (const act of ['pointerdown', 'keydown'])
    pane.addEventListener(act, stop, { signal: stopped.signal })
  scroll()
  return stop
}
