/** npm run dev: the demo with live reload. Vite serves the pages, so nothing is built. */
import { inRoot } from './launch/paths.js'
import { prepare } from './launch/prepare.js'
import { runProgram } from './launch/run-program.js'
import { endWith } from './launch/words.js'

try {
  const node = await prepare({ web: false })
  process.exitCode = await runProgram(node, inRoot('demo', 'dev.ts'), [])
} catch (error) {
  endWith(error)
}
