/** How tests and benchmarks start Chromium: without its background activity. */
import type { LaunchOptions } from 'playwright-core'

/** Only the last `--disable-features` counts, so the list begins with those that Playwright disables and that matter here. */
const disabledFeatures = [
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
  // Each window loads two pages for its address bar, which take two cores half a second.
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
]

type More = { args?: string[]; withoutFeatures?: string[] }

export const browserOptions = ({ args = [], withoutFeatures = [] }: More = {}): LaunchOptions => ({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    `--disable-features=${[...disabledFeatures, ...withoutFeatures].join(',')}`,
    ...args,
  ],
})
