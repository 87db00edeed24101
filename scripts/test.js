/** npm test: makes ready what the checks need, then runs them all. `npm test types unit` runs some of them. */
import { launch } from './launch/launch.js'

// The web app is built by a check of its own, so that a broken one is counted and the others still run.
await launch('scripts/checks/run-all.ts')
