/** npm run bench: what `npm start` prepares, then the benchmarks. Arguments choose rows by a part of their name. */
import { launch } from './launch/launch.js'

await launch('bench/main.ts', { web: true, browser: true })
