import type { App } from '#server/app.ts'
import { storeRefusals } from '#server/features/operating/alerts/count-refusals.ts'
import { type Loop, startLoop } from './loop.ts'

/** Of each process where mail comes in, with the role `worker` or without. */
export const startMailLoop = (app: App): Loop =>
  startLoop(app, { look: storeRefusals, trouble: 'refusals wait to be counted' })
