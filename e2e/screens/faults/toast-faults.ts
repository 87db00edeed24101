/** What a toast lies on: each of them may be the next that one wants to press. */
import { expect, type Page } from '@playwright/test'

/** Time stands still for a toast while the window is not in front. */
export const holdToast = (page: Page): Promise<unknown> =>
  page.evaluate(() => dispatchEvent(new Event('blur')))

/** Waits for it to stand aside. Of rows of a list, and texts to write, half may be covered: they are pressed beside it. */
export const expectNothingCovered = (page: Page, where: string): Promise<void> =>
  expect(async () => {
    expect(await page.evaluate(findCovered), where).toEqual([])
  }).toPass({ timeout: 5000 })

/** Runs in the page. */
function findCovered(): string[] {
  const LARGE_PX2 = 24_000
  const wanted =
    'a[href], button, input, select, textarea, summary, [role=button], [role=menuitem], [role=option], [role=tab], [role=checkbox], [role=radio], [role=combobox]'
  const toasts = document.querySelector('[role=region][aria-label^=Notification]')
  const toast = toasts?.querySelector('li')
  if (!toasts || !toast) return ['there is no toast']
  const over = toast.getBoundingClientRect()
  const shareOf = ({ left, top, right, bottom, width, height }: DOMRect): number => {
    const across = Math.min(over.right, right) - Math.max(over.left, left)
    const down = Math.min(over.bottom, bottom) - Math.max(over.top, top)
    return across <= 0 || down <= 0 ? 0 : (across * down) / (width * height)
  }
  /** Without the toast one would press it there. */
  const isBelow = (control: Element, { left, top, right, bottom }: DOMRect): boolean => {
    const x = (Math.max(0, left) + Math.min(innerWidth, right)) / 2
    const y = (Math.max(0, top) + Math.min(innerHeight, bottom)) / 2
    const stack = document.elementsFromPoint(x, y)
    const hit = stack.find((each) => !toasts.contains(each) && !each.contains(toasts))
    return hit !== undefined && control.contains(hit)
  }
  const { left, top, right, bottom } = over
  const isCut = left < 0 || top < 0 || right > innerWidth || bottom > innerHeight
  const faults = isCut ? ['the toast is cut by the window'] : []
  for (const control of document.querySelectorAll(wanted)) {
    if (toasts.contains(control)) continue
    const rect = control.getBoundingClientRect()
    const share = shareOf(rect)
    const most = rect.width * rect.height > LARGE_PX2 ? 0.5 : 0
    if (share > most && isBelow(control, rect))
      faults.push(`${(share * 100).toFixed(0)}% of ${control.outerHTML.slice(0, 160)}`)
  }
  return faults
}
