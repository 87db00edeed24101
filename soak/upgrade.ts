/** npm run soak -- upgrade COMMIT: from that version to this one and the next, and back, process by process, under load. */
import { runTrial } from './run-trial.ts'

const TIMES = 60

const [from = ''] = process.argv.slice(2)
if (!/^\w[\w.^~/-]*$/.test(from)) throw new Error('Please name the commit to upgrade from.')
const isFine = await runTrial('rolling-upgrade', { FROM: from, TIMES })
console.log(isFine ? 'nothing was lost, doubled or refused for long' : 'not all went well')
process.exit(isFine ? 0 : 1)
