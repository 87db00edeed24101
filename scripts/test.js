/** npm test: prepares what the checks need, then runs them all. `npm test types unit` runs only those. */
import { launch } from './launch/launch.js'

// A check builds the web app, so that a broken build is counted and the other checks still run.
await launch('scripts/checks/run-all.ts')
