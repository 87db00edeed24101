/** npm run operator: what the operator does from a terminal. Must run on Node 18, without packages. */
import { inRoot } from './launch/paths.js'
import { prepare } from './launch/prepare.js'
import { runProgram } from './launch/run-program.js'
import { endWith } from './launch/words.js'

try {
  const node = await prepare({ web: false })
  process.exitCode = await runProgram(node, inRoot('server', 'operator.ts'), process.argv.slice(2))
} catch (error) {
  endWith(error)
}
