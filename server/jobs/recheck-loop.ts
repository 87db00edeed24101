import type { App } from '#server/app.ts'
import { recheckDueDomains } from '#server/features/checks/recheck-due-domains.ts'
import { type Loop, startLoop } from './loop.ts'

const LOOK_MS = 2_000

/** Domains are due by the second, since somebody may wait at the page. */
export const startRechecks = (app: App, everyMs = LOOK_MS): Loop =>
  startLoop(app, { everyMs, look: recheckDueDomains, trouble: 'domains wait for their checks' })
