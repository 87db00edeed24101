/** npm start: installs and builds what is missing, then runs the server. Must run on Node 18, without packages. */
import { inRoot } from './launch/paths.js'
import { prepare } from './launch/prepare.js'
import { runProgram } from './launch/run-program.js'
import { endWith } from './launch/words.js'

const args = process.argv.slice(2)

try {
  const node = await prepare({ web: !args.some((arg) => arg === '--help' || arg === '-h') })
  process.exitCode = await runProgram(node, inRoot('server', 'main.ts'), args)
} catch (error) {
  endWith(error)
}
