/** npm run bench: prepares the same as `npm start`, then runs the benchmarks. Arguments select rows by a part of their name. */
import { launch } from './launch/launch.js'

await launch('bench/main.ts', { web: true, browser: true })
