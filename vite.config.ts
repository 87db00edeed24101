/** Builds the pages into `.build/web`; in development serves them and passes the API on to the server. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { type ConfigEnv, defineConfig, type Plugin, type UserConfig } from 'vite'

const API_ADDRESS = process.env.MAILSTEAD_API ?? 'http://127.0.0.1:8080'

/** There is a second build, of what draws pages in the server. */
const forBrowsers = (_config: UserConfig, { command, isSsrBuild }: ConfigEnv) =>
  command === 'build' && !isSsrBuild

/** The chunk of the first page that is opened under an address, so that it is fetched with the entry and not after it. */
const FIRST_CHUNKS = { 'index.html': 'auth', 'dashboard.html': 'dashboard' }

/**
 * Tells the browser at once what it would find out late: the latin font, for which text waits, and the chunks of
 * the page. `dashboard.html` is index.html for the addresses of the dashboard, with other chunks to fetch.
 */
function preloadFirstFiles(): Plugin {
  return {
    name: 'preload-first-files',
    apply: forBrowsers,
    writeBundle: async ({ dir = '.' }, bundle) => {
      const files = Object.values(bundle)
      const font = files.find(({ fileName }) => /inter-latin-wght-normal.*\.woff2$/.test(fileName))
      const index = await readFile(join(dir, 'index.html'), 'utf8')
      for (const [page, chunkName] of Object.entries(FIRST_CHUNKS)) {
        const chunk = files.find((file) => file.type === 'chunk' && file.name === chunkName)
        if (font === undefined || chunk === undefined)
          throw new Error(`${page} has no ${chunkName}`)
        const links = `
    <link rel="preload" as="font" type="font/woff2" href="/${font.fileName}" crossorigin>
    <link rel="modulepreload" href="/${chunk.fileName}" crossorigin>`
        await writeFile(join(dir, page), index.replace('<head>', `<head>${links}`))
      }
    },
  }
}

/** In `npm run dev` the demo's own DNS is edited through another door. */
const sandboxProxy = (address: string | undefined) =>
  address ? { '/api/v1/sandbox-dns': address, '/api/v1/installation': address } : {}

const inPackages = (names: string) => new RegExp(`/node_modules/(?:${names})/`)
const inWeb = (names: string) => new RegExp(`/web/(?:${names})`)
const anyOf =
  (...tests: RegExp[]) =>
  (id: string) =>
    tests.some((test) => test.test(id.replaceAll('\\', '/')))

// A group takes with it what its modules import, as far as no group before it has taken that.
const baseModules = anyOf(
  inPackages('react|react-dom|react-router|scheduler|clsx|class-variance-authority|get-nonce'),
  inWeb('ui/form/(?:button|field|input|password-input)|ui/style-nonce'),
  inWeb(
    'layouts/(?:root-layout|session-gates|wordmark)|features/not-found|lib/(?:api/start-session|fetch-part)',
  ),
)
const authModules = anyOf(inWeb('features/auth/login-page|layouts/auth-layout'))
const dashboardModules = anyOf(
  inPackages(
    '@radix-ui/react-dialog|@floating-ui|react-remove-scroll|@tanstack/(?:query-core|react-query)|zod',
  ),
  inWeb(
    'layouts/dashboard-layout|ui/data/(?:badge|card|data-table|page-heading|stat-card)|ui/state',
  ),
  inWeb(
    'ui/overlay/confirm-dialog|ui/form/(?:copy-button|search-input)|lib/(?:api/use-can|format)',
  ),
  /\/contract\/(?:domains|mailboxes|stats)\.ts/,
)

const groups = [
  { name: 'base', test: baseModules, priority: 3 },
  { name: 'auth', test: authModules, priority: 2 },
  { name: 'dashboard', test: dashboardModules, priority: 1 },
]

export default defineConfig(({ isSsrBuild }) => ({
  root: 'web',
  plugins: [react(), tailwindcss(), preloadFirstFiles()],
  build: {
    outDir: '../.build/web',
    emptyOutDir: true,
    // The polyfill would be one more script; every browser with CSP nonces has modulepreload.
    modulePreload: { polyfill: false },
    // An inlined asset is a data: URL, which our policy refuses for scripts and fonts.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Few files instead of forty: what every page needs, login, and what every dashboard page needs.
    rolldownOptions: isSsrBuild ? {} : { output: { codeSplitting: { groups } } },
  },
  // What draws pages in the server is whole in itself, as what the browser gets.
  ssr: { noExternal: true },
  ...(isSsrBuild ? { publicDir: false, define: { 'process.env.NODE_ENV': '"production"' } } : {}),
  server: {
    port: 5173,
    strictPort: true,
    proxy: {
      // The first that fits counts.
      ...sandboxProxy(process.env.SANDBOX_API),
      '/api': API_ADDRESS,
      '/dev/outbox': API_ADDRESS,
      '/mail-frame': API_ADDRESS,
    },
  },
  preview: { proxy: { '/api': API_ADDRESS } },
}))
