/** npm run operator: commands for the operator. Must run on Node 18, without packages. */
import { launch } from './launch/launch.js'

await launch('server/operator.ts')
