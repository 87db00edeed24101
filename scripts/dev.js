/** npm run dev: the demo with live reload. Vite serves the pages, so nothing is built. */
import { launch } from './launch/launch.js'

await launch('demo/dev.ts')
