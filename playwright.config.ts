/** The stories start the product themselves (test-world), so no server is named here. */
import { defineConfig } from '@playwright/test'
import { browserOptions } from './test-world/browser-options.ts'

/** One worker has a product with these settings, and the stories that need it follow one another there. */
const withSettings = (settings: Record<string, string>, ...names: string[]) => ({
  name: Object.entries(settings)
    .map(([name, value]) => `${name}=${value}`)
    .join(' '),
  use: { settings },
  workers: 1,
  testMatch: filesOf(names),
})
const filesOf = (names: string[]) => names.map((name) => `e2e/${name}.spec.ts`)

/** Begun first: the other workers have the many short stories meanwhile. */
const onOtherProducts = [
  withSettings(
    { BILLING: 'off' },
    ...['access', 'hostile-mail', 'reading', 'second-key', 'web-mail'],
  ),
  withSettings(
    {
      ...{ BILLING: 'off', DOMAIN_MAILBOX_LIMIT: '2' },
      ...{ SEND_LIMIT: '40', NEW_RECIPIENT_LIMIT: '15' },
    },
    ...['brakes', 'specification/free-mailboxes'],
  ),
  // What its stories choose for the installation holds for every story there.
  withSettings({ SIGNUP: 'open' }, 'operator-settings'),
  withSettings({ UNDO_SECONDS: '6' }, 'writing/lost-connection'),
  {
    name: 'starting products of their own',
    testMatch: filesOf(['demo', 'google-sign-in', 'card-payments', 'cards/*']),
  },
]

export default defineConfig<object, { settings: Record<string, string> }>({
  testDir: 'e2e',
  globalSetup: './test-world/postgres/for-stories.ts',
  outputDir: '.test/stories',
  // Each has a browser and a product: with a third, a slow computer lets every one of them wait for seconds.
  workers: 2,
  fullyParallel: false,
  // In this order.
  projects: [
    ...onOtherProducts,
    { name: 'on one product', testIgnore: onOtherProducts.flatMap(({ testMatch }) => testMatch) },
  ],
  forbidOnly: true,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['./scripts/checks/empty-stories.ts']],
  use: {
    // Recording what a failed story did takes a fifth of its time: TRACE=on records it.
    trace: process.env.TRACE === 'on' ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    // Without a screen every frame of an animation is work for the processor. The main story keeps them.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: browserOptions({
      // The second: a window opened in a context shares the renderer, and what is compiled there, with those of its site.
      // The last: no page of a story lives long enough to repay optimized code, and a larger nursery is seldom collected.
      args: [
        '--in-process-gpu',
        '--process-per-site',
        // One process fewer to hand each answer on.
        '--enable-features=NetworkServiceInProcess2',
        '--js-flags=--no-maglev --no-turbofan --min-semi-space-size=16',
      ],
      // A process that waits for the next site: a story has one site.
      withoutFeatures: ['SpareRendererForSitePerProcess'],
    }),
  },
})
