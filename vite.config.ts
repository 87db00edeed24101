/** Builds the pages into `.build/web`; in development serves them and passes the API on to the server. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const API_ADDRESS = process.env.MAILSTEAD_API ?? 'http://127.0.0.1:8080'

/** Text waits for the latin font, so the browser is told of it before it has read the style sheet. */
function preloadLatinFont(): Plugin {
  return {
    name: 'preload-latin-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => /inter-latin-wght-normal.*\.woff2$/.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: {
              rel: 'preload',
              as: 'font',
              type: 'font/woff2',
              href: `/${file}`,
              crossorigin: '',
            },
            injectTo: 'head-prepend' as const,
          })),
    },
  }
}

/** The server sends what lies beside a file as `.br` or `.gz`, and compresses nothing itself. */
function compressFiles(): Plugin {
  const kinds = [
    { suffix: 'br', compress: promisify(brotliCompress) },
    { suffix: 'gz', compress: promisify(gzip) },
  ]
  const compressFile = async (file: string) => {
    const body = await readFile(file)
    await Promise.all(
      kinds.map(async ({ suffix, compress }) =>
        writeFile(`${file}.${suffix}`, await compress(body)),
      ),
    )
  }
  return {
    name: 'compress-files',
    apply: 'build',
    writeBundle: async ({ dir = '.' }) => {
      const names = await readdir(dir, { recursive: true })
      const texts = names.filter((name) => /\.(js|css|svg)$/.test(name))
      await Promise.all(texts.map((name) => compressFile(join(dir, name))))
    },
  }
}

const inPackages = (names: string) => new RegExp(`[\\\\/]node_modules[\\\\/](?:${names})[\\\\/]`)

const baseModules = inPackages(
  'react|react-dom|react-router|scheduler|clsx|class-variance-authority|@radix-ui[\\\\/]react-(?:slot|compose-refs)',
)
const dashboardModules = inPackages(
  '@radix-ui|@floating-ui|react-remove-scroll(?:-bar)?|react-style-singleton|aria-hidden|use-callback-ref|use-sidecar|get-nonce|@tanstack[\\\\/](?:query-core|react-query)|zod',
)

export default defineConfig({
  root: 'web',
  plugins: [react(), tailwindcss(), preloadLatinFont(), compressFiles()],
  build: {
    outDir: '../.build/web',
    emptyOutDir: true,
    // The polyfill would be one more script; every browser with CSP nonces has modulepreload.
    modulePreload: { polyfill: false },
    // An inlined asset is a data: URL, which our policy refuses for scripts and fonts.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Few files instead of forty: what every page needs, and what every dashboard page needs besides.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'base', test: baseModules, priority: 2 },
            { name: 'dashboard', test: dashboardModules, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: { '/api': API_ADDRESS, '/dev/outbox': API_ADDRESS, '/mail-frame': API_ADDRESS },
  },
  preview: { proxy: { '/api': API_ADDRESS } },
})
