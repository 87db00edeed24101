/** Random histories of payments by card: no invoice is charged twice, whatever breaks. `npm run soak -- stripe 1000`. */
import { runTrial } from './run-trial.ts'

const histories = Number(process.argv[2] ?? 1000)
const isRight = await runTrial('stripe', {
  ...{ HISTORIES: histories, KILLS: Math.ceil(histories / 10) },
  FIRST_HISTORY: Number(process.argv[3] ?? 1),
})
process.exitCode = isRight ? 0 : 1
