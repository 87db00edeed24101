/** npm run demo: prepares the same as `npm start`, then runs a temporary installation with the sample workspace. */
import { launch } from './launch/launch.js'

await launch('demo/main.ts', { web: true })
