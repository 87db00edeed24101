/** The keyboard as the only way in: Tab finds a control, and whatever takes the focus on the way is seen to have it. */
import { expect, type Locator, type Page } from '@playwright/test'

type Role = Parameters<Page['getByRole']>[0]
type Way = { within?: number; back?: boolean }

/** Presses Tab (or Shift+Tab) until this control has the focus; more presses than `within` are too far to walk. */
export const tabTo = async (
  page: Page,
  role: Role,
  name: string | RegExp,
  { within = 25, back = false }: Way = {},
): Promise<Locator> => {
  const wanted = page.getByRole(role, { name, exact: true }).and(page.locator(':focus'))
  const passed: string[] = []
  while (passed.length < within) {
    await page.keyboard.press(back ? 'Shift+Tab' : 'Tab')
    passed.push(await seenFocus(page))
    if ((await wanted.count()) === 1) return wanted
  }
  throw new Error(`no ${role} '${name}' after ${within} presses: ${passed.join(', ')}`)
}

/** Tab to it, and Enter. */
export const press = async (page: Page, role: Role, name: string | RegExp, way: Way = {}) => {
  await tabTo(page, role, name, way)
  await page.keyboard.press('Enter')
}

/** Tab to a text field, and what is in it is written over. */
export const typeInto = async (page: Page, name: string, text: string, way: Way = {}) => {
  const field = await tabTo(page, 'textbox', name, way)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
  await expect(field).toHaveValue(text)
}

/** The control with the focus is this one, and can be seen to be. */
export const expectAt = async (page: Page, role: Role, name: string | RegExp): Promise<void> => {
  await expect(page.getByRole(role, { name, exact: true })).toBeFocused()
  await seenFocus(page)
}

/** Navigation leaves the focus at the heading of the page, from where Tab goes on. It shows no ring: nothing can be pressed. */
export const expectHeading = (page: Page, name: string | RegExp): Promise<void> =>
  expect(page.getByRole('heading', { level: 1, name })).toBeFocused()

/** Answers what has the focus; fails unless it is shown, in view and uncovered, once the page has drawn what it opens. */
export const seenFocus = async (page: Page): Promise<string> => {
  let seen = await page.evaluate(lookAtFocus)
  const settled = async () => {
    seen = await page.evaluate(lookAtFocus)
    expect(seen.fault, seen.name).toBe('')
  }
  if (seen.fault !== '') await expect(settled).toPass({ timeout: 5_000 })
  return seen.name
}

/** Runs in the page. */
function lookAtFocus(): { name: string; fault: string } {
  const at = document.activeElement
  if (!at || at === document.body) return { name: 'nothing', fault: 'the focus is lost' }
  const label = at.getAttribute('aria-label') ?? at.id
  const name = `${at.tagName.toLowerCase()} '${label || at.textContent?.trim().slice(0, 40)}'`
  const isClear = (color: string) =>
    color === 'transparent' || /[,/] ?0(?:\.0+)?\)$/.test(color) || color === ''
  const isRinged = (element: Element): boolean => {
    const { outlineStyle, outlineWidth, outlineColor, boxShadow } = getComputedStyle(element)
    const isOutlined = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
    if (isOutlined && !isClear(outlineColor)) return true
    const ring = /([a-z]+\([^)]*\)) 0px 0px 0px ([\d.]+)px/g
    return [...boxShadow.matchAll(ring)].some(
      ([, color = '', width]) => Number(width) >= 2 && !isClear(color),
    )
  }
  // In a list it is the option, or the item of a menu, that shows where one is.
  const active = at.getAttribute('aria-activedescendant')
  const item = active ? document.getElementById(active) : at.closest('[data-highlighted]')
  const isLit = item !== null && !isClear(getComputedStyle(item).backgroundColor)
  // The ring of a hidden radio or of an editor is that of the box around it.
  let box: Element | null = at
  for (let up = 0; box && up < 4 && !isRinged(box); up += 1) box = box.parentElement
  if (!isLit && !(box && isRinged(box))) return { name, fault: 'the focus is not shown' }
  const shown = isLit ? item : (box ?? at)
  const { left, right, top, bottom } = shown.getBoundingClientRect()
  if (right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight)
    return { name, fault: 'the focus is out of view' }
  const middle = (from: number, to: number, end: number) =>
    (Math.max(from, 0) + Math.min(to, end)) / 2
  const hit = document.elementFromPoint(
    middle(left, right, innerWidth - 1),
    middle(top, bottom, innerHeight - 1),
  )
  const isUncovered = hit !== null && (shown.contains(hit) || hit.contains(shown))
  return {
    name,
    fault: isUncovered ? '' : `the focus is covered by ${hit?.outerHTML.slice(0, 80)}`,
  }
}
