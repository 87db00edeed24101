/** npm run bench: what `npm start` prepares, then the benchmarks. Arguments choose rows by a part of their name. */
import { inRoot } from './launch/paths.js'
import { prepare } from './launch/prepare.js'
import { runProgram } from './launch/run-program.js'
import { endWith } from './launch/words.js'

try {
  const node = await prepare({ web: true })
  process.exitCode = await runProgram(node, inRoot('bench', 'main.ts'), process.argv.slice(2))
} catch (error) {
  endWith(error)
}
