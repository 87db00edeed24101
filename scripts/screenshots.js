/** npm run screenshots: a picture of every screen in .test/screens. `npm run screenshots wizard mail` makes those alone. */
import { findChromium } from './launch/chromium.js'
import { inRoot } from './launch/paths.js'
import { prepare } from './launch/prepare.js'
import { runProgram } from './launch/run-program.js'
import { endWith } from './launch/words.js'

try {
  const node = await prepare({ web: true })
  process.env.CHROMIUM_PATH = await findChromium()
  const program = inRoot('e2e', 'screens', 'take-pictures.ts')
  process.exitCode = await runProgram(node, program, process.argv.slice(2))
} catch (error) {
  endWith(error)
}
