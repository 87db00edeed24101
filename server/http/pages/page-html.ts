/** Puts a drawn view into the page of the web app. */
import { FIRST_ANSWERS_ID } from '#contract/pages/first-view.ts'
import type { DrawnView } from './draw-views.ts'

const ROOT = '<div id="root"></div>'

/** `page` is the built index.html, whose mark for the nonce is already replaced. */
export const withView = (page: string, view: DrawnView, nonce: string): string => {
  const { html, rules } = withoutStyles(view.html)
  // Sent before the app is there, a form would put what was typed into the address.
  const forms = html.replaceAll('<form', '<form method="post"')
  const styles = rules === '' ? '' : `<style nonce="${nonce}">${rules}</style>`
  return paintFirst(page)
    .replace('<html', `<html ${forWhom(view)}`)
    .replace(ROOT, () => `${styles}<div id="root">${forms}</div>${answersScript(view)}`)
}

/**
 * The scripts are fetched at once, but compiled and run when the view has been painted: start.js starts the app, named
 * by `data-app`.
 */
const paintFirst = (page: string): string => {
  let app = ''
  return page
    .replace(/\s*<script type="module" crossorigin src="([^"]+)"><\/script>/, (_all, source) => {
      app = source
      return `<link rel="preload" as="script" crossorigin href="${source}">`
    })
    .replaceAll('rel="modulepreload"', 'rel="preload" as="script"')
    .replace('<html', `<html data-app="${app}"`)
}

/** For start.js, which hides the view from a tab that it is not for. */
const forWhom = ({ known }: DrawnView): string => {
  const workspaces = known?.answers.find(({ key: [path] }) => path === '/workspaces')?.data
  const current = Array.isArray(workspaces) && workspaces.find(({ isCurrent }) => isCurrent)
  return known === null ? 'data-for="visitors"' : `data-for="${current ? current._id : ''}"`
}

/**
 * The policy allows no style attribute in HTML. What stands in one becomes a rule of a style sheet with the nonce, until
 * the app sets it by script. React writes a quote in text as an entity, so this matches nothing but attributes.
 */
const withoutStyles = (html: string): { html: string; rules: string } => {
  const styles = new Set<string>()
  const marked = html.replace(/ style="([^"<>]*)"/g, (_all, style: string) => {
    styles.add(style)
    return ` data-style="${style}"`
  })
  const rules = [...styles].filter(isPlain).map((style) => `[data-style="${style}"]{${style}}`)
  return { html: marked, rules: rules.join('') }
}

/** Sizes and names of properties. Anything that could end a rule or a string waits for the app. */
const isPlain = (style: string): boolean => /^[\w\s:;.,%()#*+-]*$/.test(style)

/** `<` ends nothing inside. */
const answersScript = ({ known }: DrawnView): string =>
  known === null
    ? ''
    : `<script type="application/json" id="${FIRST_ANSWERS_ID}">${JSON.stringify(known).replaceAll('<', '\\u003c')}</script>`
