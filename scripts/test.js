/** npm test: makes ready what the checks need, then runs them all. `npm test types unit` runs some of them. */
import { inRoot } from './launch/paths.js'
import { prepare } from './launch/prepare.js'
import { runProgram } from './launch/run-program.js'
import { endWith } from './launch/words.js'

try {
  // The web app is built by a check of its own, so that a broken one is counted and the others still run.
  const node = await prepare({ web: false })
  const checks = inRoot('scripts', 'checks', 'run-all.ts')
  process.exitCode = await runProgram(node, checks, process.argv.slice(2))
} catch (error) {
  endWith(error)
}
