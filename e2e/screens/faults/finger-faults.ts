/** What one came for, on a phone: the buttons filled with the accent or with red, entries of menus and of the sidebar. */
import type { Page } from '@playwright/test'

/** Too low for a finger. What is small by nature, as a box to tick, is none of these: `targetFaults` looks at it. */
export const fingerFaults = (page: Page): Promise<string[]> => page.evaluate(findLowTargets)

/** Runs in the page. */
function findLowTargets(): string[] {
  const LEAST = 44
  const colours = ['--accent', '--accent-hover', '--bad-fill'].map((name) => {
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.backgroundColor = `var(${name})`
    const { backgroundColor } = getComputedStyle(probe)
    probe.remove()
    return backgroundColor
  })
  const isFilled = (element: Element) =>
    element.matches('a[href], button:not([role])') &&
    colours.includes(getComputedStyle(element).backgroundColor)
  const isEntry = (element: Element) =>
    element.matches('[role=menuitem], [role=menuitemcheckbox], nav[aria-label=Main] a')
  return [...document.querySelectorAll('a, button, [role^=menuitem]')]
    .filter((element) => isFilled(element) || isEntry(element))
    .filter((element) => element.checkVisibility({ visibilityProperty: true }))
    .map((element) => ({ element, height: element.getBoundingClientRect().height }))
    .filter(({ height }) => height < LEAST - 0.5)
    .map(({ element, height }) => `${height.toFixed(0)} px: ${element.outerHTML.slice(0, 200)}`)
}
