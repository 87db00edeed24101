/** The body of a page: the drawn view, what the app goes on with, and the app itself (decision 033). */
import { FIRST_ANSWERS_ID } from '#contract/pages/first-view.ts'
import type { DrawnView } from './draw-views.ts'
import type { PageTemplate } from './page-template.ts'

/** Without a view the root is empty, and the app draws the page. What is seen comes first, in a piece of its own. */
export function* bodyOf(
  template: PageTemplate,
  view: DrawnView | null,
  nonce: string,
): Generator<string> {
  if (template.app === '') return yield template.tail
  const { html, rules } = withoutStyles(view?.html ?? '')
  // Sent before the app is there, a form would put what was typed into the address.
  const forms = html.replaceAll('<form', '<form method="post"')
  const styles = rules === '' ? '' : `<style nonce="${nonce}">${rules}</style>`
  const whose = view === null ? '' : ` data-for="${forWhom(view)}"`
  const app = `data-app="${template.app}" data-parts="${template.parts.join(' ')}"`
  const script = `<script ${app}${whose}>${template.startScript}</script>`
  yield `${script}${styles}<div id="root">${forms}</div>`
  yield (view === null ? '' : answersScript(view)) + template.tail
}

/** The workspace, when there are several: first-view.js hides the view from a tab that is in another one. */
const forWhom = ({ known }: DrawnView): string => {
  const workspaces = known?.answers.find(({ key: [path] }) => path === '/workspaces')?.data
  if (!Array.isArray(workspaces) || workspaces.length < 2) return ''
  return workspaces.find(({ isCurrent }) => isCurrent)?._id ?? ''
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
