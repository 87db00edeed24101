/** npm start: installs and builds what is missing, then runs the server. Must run on Node 18, without packages. */
import { launch } from './launch/launch.js'

const asksForHelp = process.argv.slice(2).some((arg) => arg === '--help' || arg === '-h')
await launch('server/main.ts', { web: !asksForHelp })
