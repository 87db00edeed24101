/** npm run mutations: changes the web code at random and sees that a test turns red. `npm run mutations 20 7`: how many, and the seed. */
import { inRoot } from './launch/paths.js'
import { prepare } from './launch/prepare.js'
import { runProgram } from './launch/run-program.js'
import { endWith } from './launch/words.js'

try {
  const node = await prepare({ web: false })
  process.exitCode = await runProgram(
    node,
    inRoot('soak', 'mutations', 'main.ts'),
    process.argv.slice(2),
  )
} catch (error) {
  endWith(error)
}
