/** What axe finds on the page that is open. */
import type { Page } from '@playwright/test'
import axe from 'axe-core'

declare global {
  interface Window {
    axe: typeof axe
  }
}

/** Only these depend on the theme. */
const ABOUT_COLOUR = ['color-contrast', 'link-in-text-block']

export const axeFaults = async (page: Page, rules: 'all' | 'about colour'): Promise<string[]> => {
  if (!(await page.evaluate(() => 'axe' in window)))
    await page.addScriptTag({ content: axe.source })
  return page.evaluate(
    async (runOnly) => {
      const options = runOnly ? { runOnly } : {}
      const { violations } = await window.axe.run({ ...options, resultTypes: ['violations'] })
      // A tooltip is read with what it describes and a list with its field: a landmark around them would be noise.
      const isOfAnother = (id: string, target: unknown) =>
        id === 'region' &&
        document
          .querySelector(String(target))
          ?.querySelector('[role=tooltip], [role=listbox]:not([aria-hidden])')
      // An open list takes every key, so nobody comes to what it hides. Axe knows that of dialogs alone.
      const isBehindList = (id: string) =>
        ['aria-hidden-focus', 'page-has-heading-one'].includes(id) &&
        document.querySelector('[data-radix-select-viewport]') !== null
      return violations.flatMap(({ id, nodes }) =>
        nodes
          .filter(({ target }) => !isOfAnother(id, target[0]) && !isBehindList(id))
          .map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
      )
    },
    rules === 'all' ? undefined : ABOUT_COLOUR,
  )
}
