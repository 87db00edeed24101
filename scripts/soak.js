/** npm run soak: the long trials. `npm run soak 20` kills twenty times instead of 200; a second number is the seed. */
import { launch } from './launch/launch.js'

await launch('soak/main.ts', { web: true, browser: true })
