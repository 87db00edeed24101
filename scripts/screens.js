/**
 * npm run screens: opens every screen in every state at every width, light and dark, and tries every failure, every bad
 * value and every hostile mail on them. `npm run screens wizard` tries those alone.
 */
import { findChromium } from './launch/chromium.js'
import { inRoot } from './launch/paths.js'
import { prepare } from './launch/prepare.js'
import { runProgram } from './launch/run-program.js'
import { endWith } from './launch/words.js'

try {
  const node = await prepare({ web: true })
  process.env.CHROMIUM_PATH = await findChromium()
  process.env.TRIALS = 'all'
  const program = inRoot('node_modules', '@playwright', 'test', 'cli.js')
  const names = process.argv.slice(2)
  const chosen = names.length > 0 ? ['--grep', names.join('|')] : []
  process.exitCode = await runProgram(node, program, [
    'test',
    'screens',
    'failures',
    'bad-input',
    'hostile-mail',
    'session.spec',
    ...chosen,
  ])
} catch (error) {
  endWith(error)
}
