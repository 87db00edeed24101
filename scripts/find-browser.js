/** Prints where Chromium is, on the last line; installs one where there is none. Used by the browser tests alone. */
import { findChromium } from './launch/chromium.js'
import { endWith, say } from './launch/words.js'

await findChromium().then(say).catch(endWith)
