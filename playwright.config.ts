/** The stories start the product themselves (test-world), so no server is named here. */
import { defineConfig } from '@playwright/test'
import { browserOptions } from './test-world/browser-options.ts'

/** They start what no other story uses, and some are long: begun last, they would leave two workers waiting for one. */
const withOwnProduct = [
  ...['access', 'brakes', 'demo', 'google-sign-in', 'hostile-mail', 'main-story', 'reading'],
  ...['reset-password', 'screens', 'second-key', 'sessions', 'web-mail'],
  ...['specification/free-mailboxes', 'writing/lost-connection', 'writing/trouble'],
].map((name) => `e2e/${name}.spec.ts`)

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './test-world/postgres/for-stories.ts',
  outputDir: '.test/stories',
  // Half of a story is waiting, so two cores carry three of them.
  workers: 3,
  fullyParallel: false,
  // In this order.
  projects: [
    { name: 'with a product of their own', testMatch: withOwnProduct },
    { name: 'on one product', testIgnore: withOwnProduct },
  ],
  forbidOnly: true,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  use: {
    // Recording what a failed story did takes a fifth of its time: TRACE=on records it.
    trace: process.env.TRACE === 'on' ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    // Without a screen every frame of an animation is work for the processor. The main story keeps them.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: browserOptions({
      args: ['--in-process-gpu'],
      // A process that waits for the next site: a story has one site.
      withoutFeatures: ['SpareRendererForSitePerProcess'],
    }),
  },
})
