/** Prints the path of Chromium for the browser tests on the last line; installs it when there is none. */
import { findChromium, SHELL } from './launch/chromium.js'
import { endWith, say } from './launch/words.js'

await findChromium([SHELL]).then(say).catch(endWith)
