/** Builds the web app if it is stale, and nothing else. */
import { prepare } from './launch/prepare.js'
import { endWith } from './launch/words.js'

await prepare().catch(endWith)
