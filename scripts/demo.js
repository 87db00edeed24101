/** npm run demo: what `npm start` prepares, then a throwaway installation with the sample workspace. */
import { launch } from './launch/launch.js'

await launch('demo/main.ts', { web: true })
