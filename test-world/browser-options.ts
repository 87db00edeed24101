/** How tests and benchmarks start Chromium: without what a browser does beside showing pages. */
import type { LaunchOptions } from 'playwright-core'

/** The last `--disable-features` counts: the first lines are those that Playwright disables, as far as they matter here. */
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
  // Every window loads two pages for its address bar; nobody sees them, and two cores are busy with them for half a second.
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
