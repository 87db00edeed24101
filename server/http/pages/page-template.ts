/**
 * The parts of a page in the order in which a browser can use them: styles and theme at once, then the view, and only then the
 * app, which is compiled when the view has been painted.
 */
import { createHash } from 'node:crypto'
import { canvasColours, FIRST_ANSWERS_ID } from '#contract/first-view.ts'
import { escapeHtml } from '#server/lib/escape-html.ts'
import type { DrawnView } from './draw-views.ts'
import { PUBLIC_PAGES } from './site-files.ts'

export type Theme = 'light' | 'dark' | 'system'

export type PageTemplate = {
  /** All before the body, sent while the view is drawn. */
  headOf: (head: Head) => string
  /**
   * The drawn view, what the app goes on with, and the app itself (decision 051). Without a view the root is empty, and the
   * app draws the page. What is seen comes first, in a piece of its own.
   */
  bodyOf: (view: DrawnView | null, nonce: string) => [seen: string, rest: string]
  /** Hashes of the inline scripts for the Content-Security-Policy: 'sha256-...'. */
  scriptHashes: string[]
}

/** An entry of Vite's manifest. */
type BuiltFile = { file: string; name?: string; imports?: string[]; css?: string[] }
export type Manifest = Record<string, BuiltFile>

/** The text of a file of the web app, by its address; empty when it is not there. */
type TextOf = (address: string) => string

const APP = 'main.tsx'
const FONT = 'inter-latin-wght-normal.woff2'

/** `firstChunk`: of the page that is opened, so that it is fetched with the app and not after it. */
export const templateOf = (
  manifest: Manifest,
  firstChunk: string,
  textOf: TextOf,
): PageTemplate => {
  const app = manifest[APP]
  const files = Object.entries(manifest)
  const first = files.find(([, { name }]) => name === firstChunk)?.[0]
  const font = files.find(([name]) => name.endsWith(FONT))?.[1].file
  if (!app || !first || !font) throw new Error('The web app was built without its first files.')
  const styles = (app.css ?? []).map((file) => textOf(`/${file}`)).join('')
  const themeScript = textOf('/theme.js')
  const startScript = textOf('/first-view.js')
  const parts = [...new Set([first, ...importsOf(manifest, APP)])]
  const scripts = parts.map((name) => `/${manifest[name]?.file}`).join(' ')
  return {
    headOf: (head) => headOf(head, { font, styles, themeScript }),
    // The start script decides whether the view is for this tab, and starts the app.
    bodyOf: (view, nonce) => [
      `<script data-app="/${app.file}" data-parts="${scripts}"${drawnFor(view)}>${startScript}</script>${styleOf(view, nonce)}<div id="root">${view?.html ?? ''}</div>`,
      `${answersOf(view)}<noscript>Mailstead needs JavaScript.</noscript>
</body>
</html>
`,
    ],
    scriptHashes: [themeScript, startScript].map(hashOf),
  }
}

const importsOf = (manifest: Manifest, name: string): string[] =>
  (manifest[name]?.imports ?? []).flatMap((each) => [each, ...importsOf(manifest, each)])

export type Head = {
  theme: Theme
  nonce: string
  path: string
  /** 'Login'; null: the page finds it out. */
  title: string | null
  isFound: boolean
}

type Parts = { font: string; styles: string; themeScript: string }

/**
 * Styles are inline, since a separate file would need another request before the first paint. The head is sent first, so that
 * the browser prepares while the view is drawn. `web/index.html` is the equivalent for `npx vite`.
 */
const headOf = (head: Head, { font, styles, themeScript }: Parts): string => `<!doctype html>
<html lang="en" data-theme="${head.theme}">
<head>
<meta charset="utf-8">
<link rel="preload" as="font" type="font/woff2" href="/${font}" crossorigin>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="csp-nonce" content="${head.nonce}">
<title>${titleOf(head)}</title>
<meta name="description" content="${DESCRIPTION}">
${themeColors(head.theme)}
<link rel="icon" href="/favicon.ico" sizes="32x32">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="/apple-touch-icon.png">
<link rel="manifest" href="/manifest.webmanifest">
${forFinders(head)}
<script>${themeScript}</script>
<style nonce="${head.nonce}">${styles}</style>
</head>
<body>`

const DESCRIPTION =
  'Mail on your own domains: prove a domain, publish its records, create mailboxes, and mail works.'

const titleOf = ({ title }: Pick<Head, 'title'>): string =>
  title === null ? 'Mailstead' : `${escapeHtml(title)} | Mailstead`

const themeColors = (theme: Theme): string =>
  (['light', 'dark'] as const)
    .filter((each) => theme === 'system' || theme === each)
    .map((each) => {
      const media = theme === 'system' ? ` media="(prefers-color-scheme: ${each})"` : ''
      return `<meta name="theme-color" content="${canvasColours[each]}"${media}>`
    })
    .join('\n')

/** What is shown of a link to the page elsewhere; all other pages are not to be found. */
const forFinders = ({ path, title, isFound }: Head): string => {
  const isPublic = isFound && (path === '/' || PUBLIC_PAGES.some((each) => each === path))
  if (!isPublic) return '<meta name="robots" content="noindex, nofollow">'
  return `<meta property="og:site_name" content="Mailstead">
<meta property="og:type" content="website">
<meta property="og:title" content="${titleOf({ title })}">
<meta property="og:description" content="${DESCRIPTION}">`
}

const hashOf = (script: string): string =>
  `'sha256-${createHash('sha256').update(script).digest('base64')}'`

/** For first-view.js, when a view is drawn: the workspace, if it is not the only one. */
const drawnFor = (view: DrawnView | null): string =>
  view === null ? '' : ` data-for="${view.workspaceId}"`

const styleOf = (view: DrawnView | null, nonce: string): string =>
  view?.styles ? `<style nonce="${nonce}">${view.styles}</style>` : ''

/** `<` ends nothing inside. */
const answersOf = (view: DrawnView | null): string =>
  view?.answers
    ? `<script type="application/json" id="${FIRST_ANSWERS_ID}">${JSON.stringify(view.answers).replaceAll('<', '\\u003c')}</script>`
    : ''
