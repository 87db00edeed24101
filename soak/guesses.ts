/** npm run soak -- guesses 20000: guesses at the second factor of one account alone (20,000 by default). */
import { runTrial } from './run-trial.ts'

const GUESSES = Number(process.argv[2] ?? 20_000)
if (!Number.isSafeInteger(GUESSES) || GUESSES <= 0) throw new Error('how many guesses?')
process.exitCode = (await runTrial('guesses', { GUESSES })) ? 0 : 1
