import type { App } from '#server/app.ts'
import { runImports } from '#server/features/transfer/run-imports.ts'
import { answerDues } from '#server/features/vacation/answer-dues.ts'
import { type Loop, startLoop } from './loop.ts'

const LOOK_MS = 2_000

export const startVacationReplies = (app: App): Loop =>
  startLoop(app, { everyMs: LOOK_MS, look: answerDues, trouble: 'vacation replies wait' })

export const startImports = (app: App): Loop =>
  startLoop(app, { everyMs: LOOK_MS, look: runImports, trouble: 'imports wait' })
