/** npm run operator: what the operator does from a terminal. Must run on Node 18, without packages. */
import { launch } from './launch/launch.js'

await launch('server/operator.ts')
