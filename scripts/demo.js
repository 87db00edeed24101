/** npm run demo: what `npm start` prepares, then a throwaway installation with the sample workspace. */
import { inRoot } from './launch/paths.js'
import { prepare } from './launch/prepare.js'
import { runProgram } from './launch/run-program.js'
import { endWith } from './launch/words.js'

try {
  const node = await prepare({ web: true })
  process.exitCode = await runProgram(node, inRoot('demo', 'main.ts'), [])
} catch (error) {
  endWith(error)
}
