/**
 * The built page in the order in which a browser can use it: styles and theme at once, then the view, and only then the
 * app, which is compiled when the view has been painted.
 */
import { createHash } from 'node:crypto'
import { FIRST_ANSWERS_ID } from '#contract/first-view.ts'
import type { DrawnView } from './draw-views.ts'

export type Theme = 'light' | 'dark' | 'system'

/** Between each two stands the nonce. With its styles a page is long: put together anew each time, that would be most of its cost. */
export type Pieces = readonly Buffer[]

export type PageTemplate = {
  /** All before the body, sent while the view is drawn. */
  head: Record<Theme, Pieces>
  /** Address of the app; empty in a page that has none. */
  app: string
  /** Decides at the start of the body whether the view is for this tab, and starts the app. */
  startScript: string
  /** Addresses of the scripts that the app imports. */
  parts: string[]
  /** After the root. */
  tail: string
  /** Of the inline scripts, as a policy has them: 'sha256-...'. */
  scriptHashes: string[]
}

/** The text of a file of the web app, by its address. */
type TextOf = (address: string) => string | undefined

const ROOT = '<div id="root"></div>'
/** Stands in index.html where libraries that add styles at run time look for their nonce. */
export const NONCE_MARK = '__CSP_NONCE__'
const NONCE = `nonce="${NONCE_MARK}"`
const moduleScript = /\s*<script type="module" crossorigin src="([^"]+)"><\/script>/
const modulePreload = /\s*<link rel="modulepreload"[^>]*? href="([^"]+)"[^>]*>/g
const styleSheet = /<link rel="stylesheet"[^>]*? href="([^"]+)"[^>]*>/g
const themeScript = /<script src="(\/theme\.js)"><\/script>/

export const readTemplate = (page: string, textOf: TextOf): PageTemplate => {
  const [head = '', body = ''] = page.split(/(?=<body)/)
  const [, tail = ''] = body.split(ROOT)
  const app = moduleScript.exec(head)?.[1] ?? ''
  const parts = [...head.matchAll(modulePreload)].map(([, address = '']) => address)
  const startScript = textOf('/first-view.js') ?? ''
  const theme = textOf(themeScript.exec(head)?.[1] ?? '') ?? ''
  // The body begins with it, so that the browser makes ready to paint while the view is drawn.
  const start = app === '' ? head : `${head}<body>`
  const text = start
    .replace(moduleScript, '')
    .replace(modulePreload, '')
    // A file of its own would be asked for once more before anything is painted.
    .replace(styleSheet, (link, address) => inlineStyle(textOf(address)) ?? link)
    .replace(themeScript, (script) => (theme === '' ? script : `<script>${theme}</script>`))
  return {
    head: {
      light: piecesOf(text.replace('<html', '<html data-theme="light"')),
      dark: piecesOf(text.replace('<html', '<html data-theme="dark"')),
      system: piecesOf(text),
    },
    app,
    startScript,
    parts,
    tail: body.includes(ROOT) ? tail : body,
    scriptHashes: [theme, startScript].filter((text) => text !== '').map(hashOf),
  }
}

/** `text`: with the mark where the nonce is to stand. */
export const piecesOf = (text: string): Pieces =>
  text.split(NONCE_MARK).map((piece) => Buffer.from(piece))

export const withNonce = (pieces: Pieces, nonce: string): Buffer => {
  const between = Buffer.from(nonce)
  return Buffer.concat(pieces.flatMap((piece, n) => (n === 0 ? [piece] : [between, piece])))
}

const inlineStyle = (styles: string | undefined): string | undefined =>
  styles === undefined ? undefined : `<style ${NONCE}>${styles}</style>`

const hashOf = (script: string): string =>
  `'sha256-${createHash('sha256').update(script).digest('base64')}'`

/**
 * The body of a page: the drawn view, what the app goes on with, and the app itself (decision 033).
 * Without a view the root is empty, and the app draws the page. What is seen comes first, in a piece of its own.
 */
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
