/** npm run soak -- requests 100000: spoilt requests of the OpenAPI document alone (100,000 by default), from a seed. */
import { runTrial } from './run-trial.ts'

const REQUESTS = Number(process.argv[2] ?? 100_000)
const SEED = Number(process.argv[3] ?? 1)
if (!Number.isSafeInteger(REQUESTS) || REQUESTS <= 0) throw new Error('how many requests?')
const isRight = await runTrial('requests', { REQUESTS, SEED })
process.exitCode = isRight ? 0 : 1
