/** npm run soak: the long trials. `npm run soak 20` kills twenty times instead of 200; a second number is the seed. */
import { inRoot } from './launch/paths.js'
import { prepare } from './launch/prepare.js'
import { runProgram } from './launch/run-program.js'
import { endWith } from './launch/words.js'

try {
  const node = await prepare({ web: false })
  process.exitCode = await runProgram(node, inRoot('soak', 'main.ts'), process.argv.slice(2))
} catch (error) {
  endWith(error)
}
