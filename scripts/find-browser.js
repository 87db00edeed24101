/** Prints where the Chromium of the browser tests is, on the last line; installs one where there is none. */
import { findChromium, SHELL } from './launch/chromium.js'
import { endWith, say } from './launch/words.js'

await findChromium([SHELL]).then(say).catch(endWith)
