/** npm run screenshots: a picture of every screen in .test/screens. `npm run screenshots wizard mail` makes only those. */
import { launch } from './launch/launch.js'

await launch('e2e/screens/take-pictures.ts', { web: true, browser: true })
