/**
 * npm run setup: makes ready what `npm start` needs, and starts nothing. Afterwards any user can start Mailstead, and a start
 * downloads nothing and writes nothing outside DATA_DIR. Must run on Node 18, without packages.
 */
import { launch } from './launch/launch.js'

await launch('server/setup.ts', { web: true })
