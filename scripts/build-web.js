/** Builds the web app if it is stale. */
import { prepare } from './launch/prepare.js'
import { endWith } from './launch/words.js'

await prepare().catch(endWith)
