/**
 * npm run screens: opens every screen in every state at every width, light and dark, and tests every failure, every bad value and
 * every hostile mail on them. `npm run screens wizard` tests only those.
 */
import { launch } from './launch/launch.js'

process.env.TRIALS = 'all'
const names = process.argv.slice(2)
const files = ['screens', 'failures', 'bad-input', 'hostile-mail', 'session.spec']
const chosen = names.length > 0 ? ['--grep', names.join('|')] : []
await launch('node_modules/@playwright/test/cli.js', {
  ...{ web: true, browser: true },
  args: ['test', ...files, ...chosen],
})
