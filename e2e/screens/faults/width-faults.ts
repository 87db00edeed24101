/** What does not fit: the page and its dialogs, text that is cut, and at a phone's width targets too small for a finger. */
import type { Page } from '@playwright/test'

export const widthFaults = (page: Page): Promise<string[]> => page.evaluate(findOverflow)

/** WCAG 2.2, 2.5.8: 24 by 24 px, except for links in a sentence. */
export const targetFaults = (page: Page): Promise<string[]> => page.evaluate(findSmallTargets)

/** Runs in the page. */
function findOverflow(): string[] {
  const faults: string[] = []
  const nameOf = (element: Element): string => {
    const copy = element.cloneNode(false) as Element
    return `${copy.outerHTML.slice(0, 160)} ${element.textContent?.trim().slice(0, 60)}`
  }
  const isTooWide = (element: Element) => element.scrollWidth > element.clientWidth + 1
  const { documentElement, body } = document
  for (const root of [documentElement, body])
    if (isTooWide(root))
      faults.push(`${root.tagName} is ${root.scrollWidth - root.clientWidth} px too wide`)
  const app = document.querySelector('#root')?.getBoundingClientRect().bottom ?? 0
  const empty = documentElement.scrollHeight - Math.max(innerHeight, app + scrollY)
  if (empty > 1) faults.push(`the page goes on for ${empty} px below its end`)
  for (const box of document.querySelectorAll('[role=dialog], [role=alertdialog]'))
    for (const each of [box, ...box.children])
      if (isTooWide(each) && getComputedStyle(each).overflowX !== 'hidden')
        faults.push(`a dialog is too wide: ${nameOf(each)}`)
  const isForReaders = (element: Element): boolean => {
    for (let at: Element | null = element; at; at = at.parentElement)
      if (getComputedStyle(at).clipPath !== 'none' && at.clientWidth <= 1) return true
    return false
  }
  const isSeen = (element: Element): boolean =>
    !isForReaders(element) &&
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    element.clientWidth > 1
  const isReadable = (element: Element): boolean => {
    for (let at: Element | null = element; at; at = at.parentElement)
      if (at.hasAttribute('title')) return true
    const { textOverflow, webkitLineClamp } = getComputedStyle(element)
    return textOverflow === 'ellipsis' || webkitLineClamp !== 'none'
  }
  const hasOwnText = (element: Element) =>
    [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim())
  const scrolls = (element: Element): boolean => {
    for (let at: Element | null = element; at; at = at.parentElement)
      if (/auto|scroll/.test(getComputedStyle(at).overflowX) && isTooWide(at)) return true
    return false
  }
  for (const element of body.querySelectorAll('*')) {
    // A field scrolls while the user types in it.
    if (element.closest('svg, iframe, input, textarea') || !isSeen(element)) continue
    const { overflowX, overflowY } = getComputedStyle(element)
    const below = element.scrollHeight - element.clientHeight
    if (/auto|scroll/.test(overflowY) && below > 0 && below < 4)
      faults.push(`a scroll bar for ${below} px: ${nameOf(element)}`)
    if (/hidden|clip/.test(overflowX) && isTooWide(element) && !isReadable(element))
      faults.push(`cut: ${nameOf(element)}`)
    if (!hasOwnText(element) || scrolls(element)) continue
    const { left, right, width } = element.getBoundingClientRect()
    if (width > 1 && (left < -1 || right > innerWidth + 1))
      faults.push(`out of sight, ${left.toFixed(0)} to ${right.toFixed(0)}: ${nameOf(element)}`)
  }
  return faults
}

/** Runs in the page. */
function findSmallTargets(): string[] {
  const LEAST = 24
  const wanted =
    'a[href], button, input:not([type=hidden]), select, textarea, [role=button], [role=menuitem], [role=menuitemcheckbox], [role=option], [role=tab], [role=checkbox], [role=radio], [role=combobox], [tabindex="0"]'
  const isInSentence = (element: Element): boolean => {
    if (getComputedStyle(element).display !== 'inline') return false
    return [...(element.parentElement?.childNodes ?? [])].some(
      (node) => node.nodeType === 3 && node.textContent?.trim(),
    )
  }
  const labelsOf = (element: Element): Element[] => [
    ...((element as HTMLInputElement).labels ?? []),
    ...(element.closest('label') ? [element.closest('label') as Element] : []),
  ]
  const centreOf = (element: Element): [x: number, y: number] => {
    element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' })
    const { left, top, width, height } = element.getBoundingClientRect()
    return [left + width / 2, top + height / 2]
  }
  /** On a phone the window that one writes in takes the whole screen. */
  const isUnderDialog = (element: Element): boolean => {
    const dialog = document.elementFromPoint(...centreOf(element))?.closest('[role=dialog]')
    return dialog !== undefined && dialog !== null && !dialog.contains(element)
  }
  /** What is invisible may make a target larger: it is felt for. */
  const isFelt = (element: Element): boolean => {
    const [x, y] = centreOf(element)
    const reach = LEAST / 2 - 0.5
    return [
      [-reach, 0],
      [reach, 0],
      [0, -reach],
      [0, reach],
    ].every(([dx = 0, dy = 0]) => {
      const hit = document.elementFromPoint(x + dx, y + dy)
      return (
        hit !== null &&
        (element.contains(hit) || labelsOf(element).some((label) => label.contains(hit)))
      )
    })
  }
  const isLargeEnough = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect()
    return width >= LEAST - 0.5 && height >= LEAST - 0.5
  }
  return (
    [...document.querySelectorAll(wanted)]
      .filter((element) => !element.closest('[aria-hidden=true], [inert], svg'))
      .filter((element) =>
        element.checkVisibility({ visibilityProperty: true, opacityProperty: true }),
      )
      // What only focus brings into sight, such as the skip link, and inputs drawn by their label.
      .filter((element) => element.getBoundingClientRect().width > 1)
      .filter((element) => !isLargeEnough(element) && !isInSentence(element))
      .filter((element) => !labelsOf(element).some(isLargeEnough) && !isFelt(element))
      .filter((element) => !isUnderDialog(element))
      .map((element) => {
        const { width, height } = element.getBoundingClientRect()
        return `${width.toFixed(0)} x ${height.toFixed(0)} px: ${element.outerHTML.slice(0, 200)}`
      })
  )
}
