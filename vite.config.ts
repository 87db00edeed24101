/** Builds the pages into `.build/web`; in development serves them and passes the API on to the server. */
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const API_ADDRESS = process.env.MAILSTEAD_API ?? 'http://127.0.0.1:8080'

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
    'layouts/(?:root-layout|session-gates|wordmark)|dashboard-pages|features/not-found|lib/(?:api/start-session|fetch-part)',
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

// What several pages share, in a file of its own each, was twenty requests more for a page.
const sharedModules = anyOf(inWeb('ui/(?!editor)'), inPackages('lucide-react'))

const groups = [
  { name: 'base', test: baseModules, priority: 3 },
  { name: 'auth', test: authModules, priority: 2 },
  { name: 'dashboard', test: dashboardModules, priority: 1 },
  { name: 'shared', test: sharedModules, minShareCount: 3, priority: 0 },
]

export default defineConfig(({ isSsrBuild }) => ({
  root: 'web',
  plugins: [react(), tailwindcss()],
  build: {
    outDir: '../.build/web',
    emptyOutDir: true,
    // The polyfill would be one more script; every browser with CSP nonces has modulepreload.
    modulePreload: { polyfill: false },
    // An inlined asset is a data: URL, which our policy refuses for scripts and fonts.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Few files instead of forty: what every page needs, login, what every dashboard page needs, and what
    // several of them do.
    rolldownOptions: isSsrBuild
      ? {}
      : { input: { index: 'web/main.tsx' }, output: { codeSplitting: { groups } } },
    // From it the server learns what to send with a page.
    manifest: isSsrBuild ? false : 'manifest.json',
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
