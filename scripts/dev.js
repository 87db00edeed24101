/** npm run dev: the demo with live reload. Vite serves the pages, so there is no web build. */
import { launch } from './launch/launch.js'

await launch('demo/dev.ts')
