/** Builds the pages into `.build/web`; in development serves them and passes the API on to the server. */
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

export default defineConfig({
  root: 'web',
  plugins: [react(), tailwindcss(), preloadLatinFont()],
  build: {
    outDir: '../.build/web',
    emptyOutDir: true,
    // The polyfill would be one more script; every browser with CSP nonces has modulepreload.
    modulePreload: { polyfill: false },
    // An inlined asset is a data: URL, which our policy refuses for scripts and fonts.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: { '/api': API_ADDRESS, '/dev/outbox': API_ADDRESS },
  },
  preview: { proxy: { '/api': API_ADDRESS } },
})
