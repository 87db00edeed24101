/** What opens elsewhere than where it then stands: it flies in, and a press at its first frame goes beside it. */
import type { Page } from '@playwright/test'

/** As far as an overlay may come from, in px. */
const MOST = 12

type Opened = { name: string; element: Element; first: DOMRect; last: DOMRect }

declare global {
  interface Window {
    /** All that has come with an animation since the page was loaded: where its first frame stood, and its last. */
    opened: Opened[]
  }
}

/** Before the page is loaded. */
export const noteOverlays = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    window.opened = []
    const note = ({ target, animationName }: AnimationEvent) => {
      if (!(target instanceof Element)) return
      const animation = target
        .getAnimations()
        .find((each) => (each as CSSAnimation).animationName === animationName)
      const { endTime } = animation?.effect?.getComputedTiming() ?? {}
      if (!animation || typeof endTime !== 'number' || !Number.isFinite(endTime)) return
      // Wound back and forth: a busy computer paints its first frame when it has run for a while.
      const rectAt = (time: number) => {
        animation.currentTime = time
        return target.getBoundingClientRect()
      }
      const [last, first] = [rectAt(endTime - 0.001), rectAt(0)]
      const { tagName, role, className } = target
      const name = `${role ?? tagName} ${animationName} ${String(className).slice(0, 60)}`
      window.opened.push({ name, element: target, first, last })
    }
    document.addEventListener('animationstart', note, { capture: true })
  })

/** How many have come, and which of them moved, by their animation or after it. What grows keeps an edge or its middle. */
export const overlayFaults = (page: Page): Promise<{ count: number; faults: string[] }> =>
  page.evaluate((most) => {
    const faults: string[] = []
    const least = (...ways: number[]) => Math.min(...ways.map(Math.abs))
    const compare = (what: string, from: DOMRect, to: DOMRect) => {
      const middle = ({ x, width }: DOMRect) => x + width / 2
      const centre = ({ y, height }: DOMRect) => y + height / 2
      const across = least(from.left - to.left, from.right - to.right, middle(from) - middle(to))
      const down = least(from.top - to.top, from.bottom - to.bottom, centre(from) - centre(to))
      if (across > most || down > most)
        faults.push(`${what}: ${across.toFixed(0)} px across, ${down.toFixed(0)} px down`)
    }
    for (const { name, element, first, last } of window.opened) {
      compare(`${name}, by its animation`, first, last)
      if (element.isConnected)
        compare(`${name}, until it stands`, first, element.getBoundingClientRect())
    }
    return { count: window.opened.length, faults }
  }, MOST + 0.5)
